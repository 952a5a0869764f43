// SPDX-License-Identifier: Apache-2.0
#include "cli/model/cosim_fault.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "common/diagnostics.hpp"
#include "common/enum_values.hpp"
#include "common/numbers.hpp"
#include "common/text_distance.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using cosim::FabricKind;
using model::fabric::MazeNodeKind;

constexpr std::string_view kBetweenSips = "between_sips:";

[[noreturn]] void fail_unknown_fault(const std::string& name,
                                     const std::vector<std::string_view>& names) {
  throw BadInput(fmt::format("--fault: '{}' is not one of {}{}", name, fmt::join(names, ", "),
                             common::did_you_mean(name, names)));
}

/// Parses the value of --fault for the links of a MAZE: KIND or receiver_sleeps:CYCLES.
sim::FaultSpec parse_fault(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  sim::FaultSpec fault;
  if (const auto kind = sim::fault_from_name(name)) {
    fault.kind = *kind;
    if (colon == std::string::npos) return fault;
    const auto cycles = common::parse_u64(text.substr(colon + 1));
    constexpr std::uint64_t kMostCycles = 1'000'000'000;
    if (*kind != sim::FaultKind::ReceiverSleeps || !cycles || *cycles < 1 ||
        *cycles > kMostCycles) {
      throw BadInput(fmt::format(
          "--fault: '{}' is not the name of a fault, or receiver_sleeps:CYCLES with 1 to {} cycles",
          text, kMostCycles));
    }
    fault.duration = *cycles;
    return fault;
  }
  std::vector<std::string_view> names;
  for (const sim::FaultKind known : sim::all_fault_kinds()) names.push_back(sim::fault_name(known));
  fail_unknown_fault(name, names);
}

/// Parses the name of a fault in a network of routers.
sim::NocFaultKind parse_noc_fault(const std::string& name) {
  if (const auto kind = common::find_value(sim::kNocFaultNames, name)) return *kind;
  const auto names = common::names_of(sim::kNocFaultNames);
  fail_unknown_fault(name, {names.begin(), names.end()});
}

}  // namespace

void set_fault(const std::string& text, const topology::SipSpec& sip, cosim::Options& run) {
  if (text.empty()) return;
  if (text.starts_with(kBetweenSips)) {
    if (run.run.between_sips == nullptr) {
      throw BadInput(fmt::format(
          "--fault: '{}': no network joins the SIPs of this topology; 'system.inter_sip' is to be "
          "{{noc: TOPOLOGY}}",
          text));
    }
    run.run.noc_fault_between_sips = parse_noc_fault(text.substr(kBetweenSips.size()));
  } else if (sip.inter_cube == topology::InterCube::Noc) {
    run.run.noc_fault = parse_noc_fault(text);
  } else {
    if (run.run.nodes == MazeNodeKind::Maze) {
      throw BadInput("--fault requires --nodes ideal: it acts on the pins of TOPO");
    }
    run.run.rtl.fault = parse_fault(text);
  }
  if (std::find(run.fabrics.begin(), run.fabrics.end(), FabricKind::Rtl) == run.fabrics.end()) {
    throw BadInput("--fault requires --fabric rtl or all: it acts on the RTL");
  }
}

}  // namespace kernbench::cli

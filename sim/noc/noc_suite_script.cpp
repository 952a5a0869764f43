// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_suite_script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/description.hpp"
#include "noc/packet_fields.hpp"
#include "sim/noc/noc_spec.hpp"
#include "sim/regression/checker_table.hpp"

namespace kernbench::sim {
namespace {

/// Returns whether the flits of a packet follow each other.
bool is_dense(const std::vector<std::uint64_t>& after) {
  return after.empty() || after.back() + 1 == after.size();
}

/// Returns the bits of a sender in a flit of a packet, from bit 0 on.
noc::Flit payload_mask(bool is_head, const noc::PacketFields& fields, const NocDevice& device) {
  const unsigned used = is_head ? fields.rest_at() : 0;
  return (noc::Flit{1} << (device.network.sizes().flit_bits - 2 - used)) - 1;
}

std::string why_no_packet(const NocSuiteScript::Packet& packet, const noc::PacketFields& fields,
                          const NocDevice& device) {
  const noc::Network& network = device.network;
  if (packet.node >= network.nodes() || packet.to >= network.nodes()) {
    return fmt::format("node {} does not exist, the last one is {}",
                       std::max(packet.node, packet.to), network.nodes() - 1);
  }
  if (packet.vc >= network.sizes().vcs()) {
    return fmt::format("virtual channel {} does not exist, the last one is {}", packet.vc,
                       network.sizes().vcs() - 1);
  }
  if (!network.way(packet.node, network.inputs(packet.node) - 1, packet.vc / network.sizes().lanes,
                   packet.to)) {
    return fmt::format("node {} has no route to node {} from vc {}", packet.node, packet.to,
                       packet.vc);
  }
  for (std::size_t i = 0; i < packet.payload.size(); ++i) {
    const noc::Flit mask = payload_mask(i == 0, fields, device);
    if (packet.payload[i] <= mask) continue;
    return fmt::format("payload[{}], {:#x}, has more bits than {:#x}", i, packet.payload[i], mask);
  }
  return {};
}

}  // namespace

std::vector<ScriptError> check_script(const NocSuiteScript& script, std::uint64_t cycles,
                                      std::uint64_t watchdog) {
  std::vector<ScriptError> errors;
  if (script.packets.empty()) {
    errors.push_back({"packets", "a script needs at least one packet", ""});
  }
  const auto check_order = [&](const std::string& place, const auto& list, std::size_t i) {
    if (i != 0 && list[i - 1].cycle > list[i].cycle) {
      errors.push_back({place + ".cycle",
                        fmt::format("cycle {} is before that of the entry above, {}", list[i].cycle,
                                    list[i - 1].cycle),
                        ""});
    }
    if (auto error = error_of_end(place + ".cycle", list[i].cycle, cycles)) {
      errors.push_back(*std::move(error));
    }
  };
  for (std::size_t i = 0; i < script.packets.size(); ++i) {
    const std::string place = fmt::format("packets[{}]", i);
    check_order(place, script.packets, i);
    const std::vector<std::uint64_t>& after = script.packets[i].after;
    const bool rises =
        std::adjacent_find(after.begin(), after.end(), std::greater_equal<>()) == after.end();
    const bool fits = after.size() == script.packets[i].payload.size() && after.front() == 0;
    if (!after.empty() && !(rises && fits)) {
      errors.push_back({place + ".after",
                        "needs a cycle for each flit of payload, rising, the first one 0", ""});
    }
  }
  for (std::size_t i = 0; i < script.stalls.size(); ++i) {
    const std::string place = fmt::format("stalls[{}]", i);
    check_order(place, script.stalls, i);
    if (auto error = error_of_stall(place + ".cycles", script.stalls[i].cycles, watchdog,
                                    /*network=*/true)) {
      errors.push_back(*std::move(error));
    }
  }
  for (ScriptError& error : errors_of_resets(script.resets, cycles)) {
    errors.push_back(std::move(error));
  }
  return errors;
}

std::string why_no_script(const NocSuiteScript& script, const NocDevice& device) {
  const noc::PacketFields fields(device.network);
  for (std::size_t i = 0; i < script.packets.size(); ++i) {
    const std::string why = why_no_packet(script.packets[i], fields, device);
    if (!why.empty()) return fmt::format("packets[{}] of its script: {}", i, why);
  }
  for (std::size_t i = 0; i < script.stalls.size(); ++i) {
    const NocSuiteScript::Stall& stall = script.stalls[i];
    if (stall.node < device.network.nodes() && stall.vc < device.network.sizes().vcs()) continue;
    return fmt::format("stalls[{}] of its script: node {} has no receiver of vc {}", i, stall.node,
                       stall.vc);
  }
  return {};
}

NocScript script_of(const NocSuiteScript& suite, std::uint64_t cycles, const NocDevice& device) {
  const noc::PacketFields fields(device.network);
  NocScript script;
  script.events.cycles = cycles;
  for (const NocSuiteScript::Packet& packet : suite.packets) {
    script.events.packets.push_back(
        {packet.cycle, {packet.node, packet.vc}, script.packets.size()});
    NocScriptPacket& flits = script.packets.emplace_back();
    for (std::size_t i = 0; i < packet.payload.size(); ++i) {
      const bool is_tail = i + 1 == packet.payload.size();
      flits.flits.push_back(i == 0 ? fields.flit(true, is_tail, {packet.node, packet.vc, packet.to},
                                                 packet.payload[i])
                                   : device.network.flit(false, is_tail, 0, packet.payload[i]));
      flits.after.push_back(packet.after.empty() ? i : packet.after[i]);
    }
  }
  for (const NocSuiteScript::Stall& stall : suite.stalls) {
    script.events.stalls.push_back(
        {stall.cycle, std::min(stall.cycle + stall.cycles, cycles), {stall.node, stall.vc}});
  }
  script.events.resets = suite.resets;
  return script;
}

NocSuiteScript suite_script_of(const NocScript& script, const NocDevice& device) {
  const noc::PacketFields fields(device.network);
  NocSuiteScript suite;
  for (const ScriptPacket& event : script.events.packets) {
    const NocScriptPacket& flits = script.packets[event.packet];
    const noc::PacketFields::Origin origin = fields.origin(flits.flits.front());
    NocSuiteScript::Packet& packet = suite.packets.emplace_back(
        NocSuiteScript::Packet{event.at, event.from.node, event.from.port, origin.dst, {}, {}});
    for (std::size_t i = 0; i < flits.flits.size(); ++i) {
      const noc::Flit above = flits.flits[i] >> (i == 0 ? fields.rest_at() : 0);
      packet.payload.push_back(above & payload_mask(i == 0, fields, device));
    }
    if (!is_dense(flits.after)) packet.after = flits.after;
  }
  for (const ScriptStall& stall : script.events.stalls) {
    suite.stalls.push_back({stall.first, stall.end - stall.first, stall.to.node, stall.to.port});
  }
  suite.resets = script.events.resets;
  return suite;
}

std::string noc_regression_text(const NocCase& one, const NocNetworkSpec& network,
                                const NocDevice& device, const std::string& comment) {
  const NocSuiteScript script = suite_script_of(*one.script, device);
  std::string text = fmt::format(
      "# {}\nname: {}\ndut: noc\nnetwork: {{topology: {}, lanes: {}, slots: {}, flit_bits: {}, "
      "stages: {}, wire: {}}}\nsuites:\n  - name: {}\n    script:\n",
      comment, one.name, nlohmann::json(network.topology).dump(), network.lanes, network.slots,
      network.flit_bits, network.stages, network.wire, one.name);
  const auto list = [&](const char* name, const auto& events, const auto& text_of) {
    if (events.empty()) return;
    text += fmt::format("      {}:\n", name);
    for (const auto& event : events) text += fmt::format("        - {{{}}}\n", text_of(event));
  };
  list("packets", script.packets, [](const NocSuiteScript::Packet& packet) {
    return fmt::format(
        "cycle: {}, node: {}, vc: {}, to: {}, payload: [{:#x}]{}", packet.cycle, packet.node,
        packet.vc, packet.to, fmt::join(packet.payload, ", "),
        packet.after.empty() ? "" : fmt::format(", after: [{}]", fmt::join(packet.after, ", ")));
  });
  list("stalls", script.stalls, [](const NocSuiteScript::Stall& stall) {
    return fmt::format("cycle: {}, cycles: {}, node: {}, vc: {}", stall.cycle, stall.cycles,
                       stall.node, stall.vc);
  });
  list("resets", script.resets, reset_text);
  text += fmt::format("    cycles: {}\n    watchdog_cycles: {}\n    after_failure: {}\n",
                      one.cycles, one.watchdog_cycles, one.after_failure);
  const std::vector<std::string> checks = set_names_in(kNocCheckers, one.checks);
  if (checks.size() == kNocCheckers.size()) return text;
  return text + fmt::format("    checks: [{}]\n", fmt::join(checks, ", "));
}

}  // namespace kernbench::sim

namespace kernbench::common {

using sim::NocSuiteScript;

template <>
const Description<NocSuiteScript::Packet>& description_of() {
  using Packet = NocSuiteScript::Packet;
  static const auto kAll =
      Description<Packet>()
          .add("cycle", &Packet::cycle,
               "cycle of its head; a flit waits for a credit, and for those above it on its "
               "virtual channel")
          .at_most(sim::kMostNocCycles)
          .add("node", &Packet::node, "number of the node at whose port A it enters")
          .add("vc", &Packet::vc, "virtual channel on which it enters")
          .add("to", &Packet::to, "number of its destination")
          .add("payload", &Packet::payload,
               "a number for each of its flits: the bits above the source of the head, all below "
               "head and tail of the others")
          .not_empty()
          .add("after", &Packet::after, "cycles from the head to each flit")
          .defaults_to("a flit in every cycle");
  return kAll;
}

template <>
const Description<NocSuiteScript::Stall>& description_of() {
  using Stall = NocSuiteScript::Stall;
  static const auto kAll =
      Description<Stall>()
          .add("cycle", &Stall::cycle, "first cycle in which it takes no flit")
          .at_most(sim::kMostNocCycles)
          .add("cycles", &Stall::cycles)
          .within(1, sim::kMostNocCycles)
          .add("node", &Stall::node, "number of the node with the receiver, at port B")
          .add("vc", &Stall::vc, "virtual channel of the receiver");
  return kAll;
}

template <>
const Description<NocSuiteScript>& description_of() {
  static const auto kAll = Description<NocSuiteScript>()
                               .add("packets", &NocSuiteScript::packets, "packets, by cycle")
                               .add("stalls", &NocSuiteScript::stalls,
                                    "cycles in which receivers take no flit, by cycle")
                               .add("resets", &NocSuiteScript::resets, "resets, by cycle")
                               .optional_from("stalls");
  return kAll;
}

}  // namespace kernbench::common

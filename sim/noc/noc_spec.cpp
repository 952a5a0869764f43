// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>
#include <utility>

#include "common/description.hpp"
#include "common/form_reader.hpp"
#include "common/yaml_reader.hpp"
#include "sim/noc/noc_users.hpp"
#include "sim/regression/checker_table.hpp"
#include "sim/regression/fault_rules.hpp"
#include "sim/stimulus/reset_plan.hpp"
#include "sim/stimulus/traffic_rules.hpp"

namespace kernbench::sim {
namespace {

constexpr std::string_view kPermutations = "permutations";

std::vector<std::string> patterns() {
  std::vector<std::string> names = {std::string(kAlonePattern), std::string(kPermutations),
                                    std::string(kMovingHotspotPattern)};
  for (const std::string_view name : topology::traffic_names()) names.emplace_back(name);
  return names;
}

std::string pattern_of(const NocSuiteSpec& suite) {
  return suite.permutations ? std::string(kPermutations) : suite.shared.pattern_name();
}

void set_pattern_of(NocSuiteSpec& suite, const std::string& name) {
  suite.permutations = name == kPermutations;
  suite.shared.alone = name == kAlonePattern;
  suite.shared.moving_hotspot = name == kMovingHotspotPattern;
  suite.shared.kind = topology::find_traffic(name);
}

/// Returns why a kind of traffic does not work on a network, or an empty text.
std::string why_not(const topology::TrafficKind& kind, const NocDevice& device) {
  if (std::string why = topology::refusal(kind, device.shape); !why.empty()) return why;
  for (std::uint32_t node = 0; node < device.shape.count; ++node) {
    const std::vector<std::uint32_t> reached = device.reached_from(node);
    for (const std::uint32_t dst : kind.destinations(node, device.shape)) {
      if (dst != node && std::binary_search(reached.begin(), reached.end(), dst)) return {};
    }
  }
  return "has no route from a node to its destination";
}

/// Returns true if no node has more than one destination.
bool is_permutation_on(const topology::TrafficKind& kind, const NocDevice& device) {
  for (std::uint32_t node = 0; node < device.shape.count; ++node) {
    if (kind.destinations(node, device.shape).size() > 1) return false;
  }
  return !kind.hotspot;
}

/// Checks what the form does not say.
void check(common::Input<NocSpec>& file) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < file->suites.size(); ++i) {
    const NocSuiteSpec& suite = file->suites[i];
    const std::string path = fmt::format("suites[{}]", i);
    if (!suite.name.empty() && !names.insert(suite.name).second) {
      file.error(path, fmt::format("a second suite '{}'", suite.name),
                 "names tell suites apart in reports and on the command line");
    }
    const NocCase& one = suite.shared;
    if (suite.script) {
      refuse_other_keys<NocSuiteSpec>(
          file, path, {"name", "script", "cycles", "watchdog_cycles", "after_failure", "checks"});
      if (!file.places().sound({path + ".script"})) continue;
      const std::uint64_t window = one.checks.watchdog ? one.watchdog_cycles : 0;
      for (const ScriptError& error : check_script(*suite.script, one.cycles, window)) {
        file.error(fmt::format("{}.script.{}", path, error.place), error.message, error.hint);
      }
      continue;
    }
    if (one.shortest > one.longest) {
      file.error(path + ".shortest", fmt::format("is above longest, {}", one.longest),
                 fmt::format("1 to {}", one.longest));
    }
    const ResetSpec resets{.count = one.resets, .longest = one.longest_reset};
    if (const auto wrong = problem(resets, one.cycles); one.resets != 0 && wrong) {
      file.error(path + ".resets", *wrong);
    }
    if (const auto wrong = problem(one.back_pressure)) {
      file.error(path + ".back_pressure", *wrong);
    } else if (one.checks.watchdog) {
      const auto stall = least_watchdog(one.back_pressure, plane_shape(256), one.cycles);
      const std::uint64_t least = stall ? least_watchdog_of_stall(*stall, /*network=*/true) : 0;
      if (!stall || one.watchdog_cycles < least) {
        file.error(path + ".watchdog_cycles",
                   fmt::format("the watchdog allows {} cycles without movement, flits may wait "
                               "longer for receivers that stall",
                               one.watchdog_cycles),
                   stall ? fmt::format("set watchdog_cycles to {} or more", least)
                         : "set ready_probability above 0, or leave the watchdog out of checks");
      }
    }
    for (std::size_t k = 0; k < suite.faults.size(); ++k) {
      const std::string at = fmt::format("{}.faults[{}].", path, k);
      const NocFault& fault = suite.faults[k];
      check_attached(file, at + "caught_by", fault.caught_by, kNocCheckers, one.checks);
      check_attached(file, at + "missed_by", fault.missed_by, kNocCheckers, one.checks);
    }
  }
}

}  // namespace

const common::InputKind kNocRegressionFile = {
    .name = "noc-regression",
    .title = "A regression file of kernbench sim for a network of any topology (YAML)",
    .form = common::form_of<NocSpec>};

NocSpec parse_noc_regression(std::string text, const std::string& path) {
  common::Diagnostics diagnostics;
  const common::YamlDocument document = common::YamlDocument::parse(text, path, diagnostics);
  common::Input<NocSpec> file(document.root(), diagnostics);
  file->text = std::move(text);
  check(file);
  diagnostics.throw_if_any();
  return *file;
}

namespace {

/// Appends the cases of a suite with one kind of traffic: of each seed one without a fault, or one
/// for each fault.
void add_cases(const NocSuiteSpec& suite, NocCase one, std::vector<NocCase>& cases) {
  for (unsigned i = 0; i < suite.seeds; ++i, ++one.seed) {
    if (suite.faults.empty()) cases.push_back(one);
    for (const NocFault& fault : suite.faults) {
      NocCase& with = cases.emplace_back(one);
      with.fault = fault;
      with.name += fmt::format("-{}", fault_name(fault.kind));
      if (fault.at.empty()) continue;
      with.name += '-';
      // Files are named after cases.
      for (const char c : fault.at) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
          with.name += c;
        } else if (with.name.back() != '-') {
          with.name += '-';
        }
      }
    }
  }
}

/// Returns why the faults of a suite cannot be injected into a network, or an empty text.
std::string why_no_fault(const NocSuiteSpec& suite, const NocDevice& device) {
  for (const NocFault& fault : suite.faults) {
    if (fault.at.empty() || link_of(fault, device)) continue;
    return fmt::format("{} has no place '{}' for the fault {}", device.name, fault.at,
                       fault_name(fault.kind));
  }
  return {};
}

}  // namespace

std::vector<NocCase> noc_cases(const NocSpec& spec, const NocDevice& device,
                               std::vector<LeftOut>& left_out) {
  std::vector<NocCase> cases;
  for (const NocSuiteSpec& suite : spec.suites) {
    NocCase one = suite.shared;
    one.suite = one.name = suite.name;
    one.seed = spec.seed;
    if (std::string why = why_no_fault(suite, device); !why.empty()) {
      left_out.push_back({suite.name, std::move(why), true});
      continue;
    }
    if (suite.script) {
      if (std::string why = why_no_script(*suite.script, device); !why.empty()) {
        left_out.push_back({suite.name, std::move(why), true});
        continue;
      }
      one.script = std::make_shared<NocScript>(script_of(*suite.script, one.cycles, device));
      add_cases(suite, one, cases);
      continue;
    }
    if (!suite.permutations) {
      std::string why = one.kind == nullptr ? "" : why_not(*one.kind, device);
      if (why.empty() && one.kind != nullptr && one.kind->hotspot &&
          one.hotspot_node >= device.network.nodes()) {
        why = fmt::format("goes to node {}, the last node is {}", one.hotspot_node,
                          device.network.nodes() - 1);
      }
      if (why.empty()) {
        add_cases(suite, one, cases);
      } else {
        left_out.push_back(
            {suite.name, fmt::format("{} {}", suite.shared.pattern_name(), why), true});
      }
      continue;
    }
    for (const topology::TrafficKind& kind : topology::traffic_kinds()) {
      if (!why_not(kind, device).empty() || !is_permutation_on(kind, device)) continue;
      one.kind = &kind;
      one.name = suite.name + "-" + kind.name;
      add_cases(suite, one, cases);
    }
  }
  return cases;
}

}  // namespace kernbench::sim

namespace kernbench::common {

using sim::NocFault;
using sim::NocNetworkSpec;
using sim::NocSpec;
using sim::NocSuiteSpec;

template <>
const Description<NocNetworkSpec>& description_of() {
  static const auto kAll =
      Description<NocNetworkSpec>()
          .add("topology", &NocNetworkSpec::topology,
               "topology as of kernbench topology zoo, such as Mesh2D(4,3), or its file")
          .not_empty()
          .add("lanes", &NocNetworkSpec::lanes,
               "virtual channels for each class of the routes; with more than one, packets may "
               "overtake each other")
          .within(1, 64)
          .add("slots", &NocNetworkSpec::slots, "flits that each virtual channel of an input holds")
          .within(1, 255)
          .add("flit_bits", &NocNetworkSpec::flit_bits,
               "bits of a flit; 0 for those that the generator takes by default")
          .within(0, 64)
          .add("stages", &NocNetworkSpec::stages,
               "registers of each link to which neither the file of the topology nor `wire` gives "
               "some")
          .within(0, 15)
          .add("wire", &NocNetworkSpec::wire,
               "longest wire between registers of a channel, in units of the picture; 0: the "
               "picture gives no registers")
          .at_least(0)
          .all_optional();
  return kAll;
}

template <>
const Description<NocFault>& description_of() {
  static const auto kAll =
      Description<NocFault>()
          .add("kind", &NocFault::kind)
          .add("at", &NocFault::at, "its channel, such as 0->1, or its node")
          .defaults_to("drawn from the seed")
          .add("cycle", &NocFault::cycle, "first cycle in which the fault may act")
          .at_most(sim::kMostNocCycles)
          .add("caught_by", &NocFault::caught_by, "checkers that must notice it")
          .one_of(sim::names_in(sim::kNocCheckers))
          .defaults_to("any one")
          .add("missed_by", &NocFault::missed_by, "checkers that must not notice it")
          .one_of(sim::names_in(sim::kNocCheckers))
          .optional_from("at");
  return kAll;
}

template <>
const Description<NocSuiteSpec>& description_of() {
  using Suite = NocSuiteSpec;
  static const auto kAll =
      Description<Suite>()
          .add("name", &Suite::name, "begin of the names of its cases")
          .add_converted(
              "pattern", sim::pattern_of, sim::set_pattern_of,
              "destinations of the packets: a kind of traffic, one packet at a time, one "
              "node in turn, or a case for each kind with one destination a node")
          .one_of(sim::patterns())
          .add(
              "load", [](auto& suite) -> auto& { return suite.shared.load; },
              "flits offered at each A in a cycle")
          .above(0)
          .at_most(1)
          .add(
              "shortest", [](auto& suite) -> auto& { return suite.shared.shortest; },
              "flits of a packet")
          .within(1, 65'536)
          .add(
              "longest", [](auto& suite) -> auto& { return suite.shared.longest; },
              "flits of a packet; lengths are drawn log-uniformly")
          .within(1, 65'536)
          .add(
              "gaps", [](auto& suite) -> auto& { return suite.shared.gaps; },
              "share of the cycles in which a packet that has begun pauses")
          .within(0, 0.99)
          .add(
              "hotspot_node", [](auto& suite) -> auto& { return suite.shared.hotspot_node; },
              "node of the pattern hotspot")
          .within(0, 255)
          .add(
              "hotspot_share", [](auto& suite) -> auto& { return suite.shared.hotspot_share; },
              "share of packets to that node")
          .within(0, 1)
          .add(
              "own_share", [](auto& suite) -> auto& { return suite.shared.own_share; },
              "share of packets that a node sends to itself, whatever the pattern")
          .within(0, 1)
          .add(
              "back_pressure", [](auto& suite) -> auto& { return suite.shared.back_pressure; },
              "receivers at B, for each virtual channel")
          .add(
              "cycles", [](auto& suite) -> auto& { return suite.shared.cycles; },
              "cycles of a case with traffic; alone ends by itself")
          .within(1, sim::kMostNocCycles)
          .add(
              "resets", [](auto& suite) -> auto& { return suite.shared.resets; },
              "resets of a case under traffic")
          .within(0, 10'000)
          .add(
              "longest_reset", [](auto& suite) -> auto& { return suite.shared.longest_reset; },
              "widest reset in clocks; a quarter of the resets is a part of a clock")
          .within(1, 10'000)
          .add("seeds", &Suite::seeds, "number of seeds, each in a case of its own")
          .within(1, 10'000)
          .add(
              "watchdog_cycles", [](auto& suite) -> auto& { return suite.shared.watchdog_cycles; },
              "cycles without movement after which the watchdog fails the case")
          .within(10, sim::kMostNocCycles)
          .add(
              "after_failure", [](auto& suite) -> auto& { return suite.shared.after_failure; },
              "cycles that a case runs on after a failure")
          .within(0, sim::kMostNocCycles)
          .add_converted(
              "checks",
              [](const Suite& suite) {
                return sim::set_names_in(sim::kNocCheckers, suite.shared.checks);
              },
              [](Suite& suite, const std::vector<std::string>& names) {
                sim::set_by_names(sim::kNocCheckers, suite.shared.checks, names);
              },
              "checkers of the suite")
          .one_of(sim::names_in(sim::kNocCheckers))
          .not_empty()
          .add("faults", &Suite::faults, "faults, each in a case of its own for every seed")
          .add("script", &Suite::script,
               "packets, stalls and resets one by one in place of traffic; the case is not part "
               "of the coverage")
          .defaults_to("none")
          .optional_from("pattern");
  return kAll;
}

template <>
const Description<NocSpec>& description_of() {
  static const auto kAll =
      Description<NocSpec>()
          .add("name", &NocSpec::name)
          .add("dut", &NocSpec::dut, "design under test")
          .one_of({"noc"})
          .add("network", &NocSpec::network, "the network and the sizes of its routers")
          .add("seed", &NocSpec::seed)
          .add("full_coverage", &NocSpec::full_coverage, "a missed bin fails the regression")
          .optional_from("network")
          .add("suites", &NocSpec::suites)
          .not_empty();
  return kAll;
}

}  // namespace kernbench::common

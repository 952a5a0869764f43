// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "common/description.hpp"
#include "sim/network/network_spec.hpp"
#include "sim/regression/fabric_size.hpp"

namespace kernbench::sim {
namespace {

constexpr std::string_view kPermutations = "permutations";

constexpr std::array<common::EnumName<FailedNodes>, 3> kFailedNodes = {{
    {"none", FailedNodes::None},
    {"each", FailedNodes::Each},
    {"ends", FailedNodes::Ends},
}};

std::vector<std::string> patterns() {
  std::vector<std::string> names;
  for (const auto& [name, pattern] : kNetworkPatternNames) names.emplace_back(name);
  names.emplace_back(kPermutations);
  for (const std::string_view name : topology::traffic_names()) names.emplace_back(name);
  return names;
}

std::string pattern_of(const NetworkSuiteSpec& suite) {
  if (suite.permutations) return std::string(kPermutations);
  return suite.shared.pattern_name();
}

void set_pattern_of(NetworkSuiteSpec& suite, const std::string& name) {
  suite.permutations = name == kPermutations;
  suite.shared.pattern = NetworkPattern::Kind;
  suite.shared.kind = topology::find_traffic(name);
  for (const auto& [known, pattern] : kNetworkPatternNames) {
    if (name == known) suite.shared.pattern = pattern;
  }
}

}  // namespace

const common::InputKind kNetworkRegressionFile = {
    .name = "network-regression",
    .title = "A regression file of kernbench sim for the network (YAML)",
    .form = common::form_of<NetworkSpec>};

}  // namespace kernbench::sim

namespace kernbench::common {

using sim::FabricSize;
using sim::NetworkSpec;
using sim::NetworkSuiteSpec;

constexpr double kMostCycles = 1e9;
constexpr double kMostNetworkResets = 10'000;

template <>
const Description<NetworkSuiteSpec>& description_of() {
  using Suite = NetworkSuiteSpec;
  static const auto kAll =
      Description<Suite>()
          .add("name", &Suite::name, "begin of the names of its cases")
          .add("variant", &Suite::variant, "part of the names of its cases, behind the suite's")
          .add(
              "script", [](auto& suite) -> auto& { return suite.shared.script; },
              "packets, stalls and resets one by one, in place of all other traffic; the case is "
              "not part of the coverage")
          .defaults_to("none")
          .add_converted("pattern", sim::pattern_of, sim::set_pattern_of,
                         "targets of the packets: a kind of traffic, one of the patterns of "
                         "networks, or a case for each kind with one destination a node")
          .one_of(sim::patterns())
          .add(
              "load", [](auto& suite) -> auto& { return suite.shared.load; },
              "packets offered at each A in a cycle")
          .above(0)
          .at_most(1)
          .add(
              "qos_high", [](auto& suite) -> auto& { return suite.shared.high; },
              "share of packets with high QoS")
          .within(0, 1)
          .add(
              "multicasts", [](auto& suite) -> auto& { return suite.shared.multicasts; },
              "share of packets to a column, a row or all nodes")
          .within(0, 1)
          .add(
              "longest_burst", [](auto& suite) -> auto& { return suite.shared.longest_burst; },
              "packets of a burst, heavy-tailed from 1 on")
          .within(1, 1e6)
          .add(
              "hotspot_node", [](auto& suite) -> auto& { return suite.shared.hotspot_node; },
              "of the pattern hotspot")
          .within(0, 255)
          .add(
              "hotspot_share", [](auto& suite) -> auto& { return suite.shared.hotspot_share; },
              "share of packets to that node")
          .within(0, 1)
          .add(
              "idle", [](auto& suite) -> auto& { return suite.shared.idle; },
              "cycles without offers, drawn by each A for itself")
          .add(
              "longest_idle", [](auto& suite) -> auto& { return suite.shared.longest_idle; },
              "longest run in cycles of heavy_tailed and length_sweep")
          .within(1, sim::kLongestRun)
          .add(
              "back_pressure", [](auto& suite) -> auto& { return suite.shared.back_pressure; },
              "receivers at B")
          .add(
              "stall_each", [](auto& suite) -> auto& { return suite.shared.stall_each; },
              "cycles for which each B in turn is not ready, in place of back_pressure; 0: none")
          .within(0, 1e6)
          .add("only_with_odd_failed", &Suite::stalls_with_odd_failed,
               "back-pressure in the cases alone whose failed node is odd")
          .add_named("failed_node", &Suite::failed, sim::kFailedNodes,
                     "a case for each node that fails, or for the second and the last but one")
          .add(
              "cycles", [](auto& suite) -> auto& { return suite.shared.cycles; },
              "cycles of a case with traffic; alone ends by itself")
          .within(1, kMostCycles)
          .add("cycles_per_node", &Suite::cycles_per_node, "in place of cycles, if not 0")
          .within(0, 1e6)
          .add("cycles_per_reset", &Suite::cycles_per_reset, "in place of cycles, if not 0")
          .within(0, 1e6)
          .add(
              "resets", [](auto& suite) -> auto& { return suite.shared.resets; },
              "resets of a case under traffic")
          .within(0, kMostNetworkResets)
          .add(
              "longest_reset", [](auto& suite) -> auto& { return suite.shared.longest_reset; },
              "widest reset in clocks; a quarter of the resets is a part of a clock")
          .within(1, 10'000)
          .add("resets_in_all", &Suite::resets_in_all,
               "in place of resets, if not 0: those of all its cases, 200 to 800 in each")
          .within(0, 1e6)
          .add("seeds", &Suite::seeds, "number of seeds, each in cases of its own")
          .within(1, 10'000)
          .add(
              "watchdog_cycles", [](auto& suite) -> auto& { return suite.shared.watchdog_cycles; },
              "cycles without movement at a port after which the watchdog fails the case")
          .within(10, kMostCycles)
          .add(
              "after_failure", [](auto& suite) -> auto& { return suite.shared.after_failure; },
              "cycles that a case runs on after a failure")
          .within(0, kMostCycles)
          .add_converted(
              "checks", [](const Suite& suite) { return sim::names_of(suite.shared.checks); },
              [](Suite& suite, const std::vector<std::string>& names) {
                sim::set_checks(suite.shared.checks, names);
              },
              "checkers of the suite")
          .one_of(sim::checker_names())
          .not_empty()
          .add("faults", &Suite::faults, "faults, each in a case of its own for every seed")
          .optional_from("variant");
  return kAll;
}

template <>
const Description<NetworkSpec>& description_of() {
  static const auto kAll =
      Description<NetworkSpec>()
          .add("name", &NetworkSpec::name)
          .add("dut", &NetworkSpec::dut, "design under test")
          .one_of({"network"})
          .add_converted(
              "fabric", [](const NetworkSpec& spec) { return sim::size_of(spec.shape); },
              [](NetworkSpec& spec, const FabricSize& size) { spec.shape = sim::shape_of(size); })
          .add("high_bound", &NetworkSpec::high_bound,
               "packets of high QoS in a row that pass a low one that waits; 0: no bound")
          .within(0, 1e6)
          .add("fixed_priority", &NetworkSpec::fixed_priority,
               "arbiters take the lowest input of a level in place of round robin")
          .add("seed", &NetworkSpec::seed)
          .add("full_coverage", &NetworkSpec::full_coverage, "a missed bin fails the regression")
          .add("deep_coverage", &NetworkSpec::deep_coverage,
               "lengths of stalls, of idle times and of resets are bins, in place of the others")
          .add("packets_per_link", &NetworkSpec::packets_per_link,
               "packets that each link and each A carry in one case without resets: bins in place "
               "of the others; 0 for no goal")
          .within(0, kMostCycles)
          .optional_from("fabric")
          .add("suites", &NetworkSpec::suites)
          .not_empty();
  return kAll;
}

}  // namespace kernbench::common

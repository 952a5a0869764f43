// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "common/description.hpp"
#include "common/form_reader.hpp"
#include "common/yaml_reader.hpp"
#include "sim/regression/fault_rules.hpp"
#include "sim/stimulus/destinations.hpp"
#include "sim/stimulus/reset_plan.hpp"
#include "sim/stimulus/traffic_rules.hpp"

namespace kernbench::sim {
namespace {

/// Returns the begin of the names of a suite's cases, of one kind of traffic if it has several.
std::string name_of(const NetworkSuiteSpec& suite, const std::string& kind = {}) {
  std::string name = suite.name;
  if (!kind.empty()) name += "-" + kind;
  if (!suite.variant.empty()) name += "-" + suite.variant;
  return name;
}

/// Adds the cases of each seed, one without a fault or one for each fault.
void add_seeds(std::vector<NetworkCase>& cases, const NetworkSuiteSpec& suite, NetworkCase one) {
  for (unsigned i = 0; i < suite.seeds; ++i, ++one.seed) {
    if (suite.faults.empty()) cases.push_back(one);
    for (const FaultCase& fault : suite.faults) {
      NetworkCase& with = cases.emplace_back(one);
      with.name += fmt::format("-{}", fault_name(fault.fault.kind));
      if (const auto& at = fault.fault.link) with.name += fmt::format("-{}-{}", at->node, at->port);
      with.fault = fault;
    }
  }
}

/// Adds the cases of a suite with one kind of traffic, whose names begin with that of `one`.
void add_cases(std::vector<NetworkCase>& cases, const NetworkSuiteSpec& suite, NetworkCase one,
               const maze::Shape& shape, std::uint64_t seed) {
  one.suite = suite.name;
  one.seed = seed;
  std::vector<unsigned> failed;
  if (one.script && one.script->failed_node) failed.push_back(*one.script->failed_node);
  if (suite.failed == FailedNodes::Ends) failed = {1U, shape.nodes() - 2};
  for (unsigned node = 0; suite.failed == FailedNodes::Each && node < shape.nodes(); ++node) {
    failed.push_back(node);
  }
  if (suite.resets_in_all != 0) {
    const auto of_each = suite.resets_in_all / std::max<std::size_t>(1, failed.size());
    one.resets = static_cast<unsigned>(std::clamp<std::size_t>(of_each, kLeastResets, kMostResets));
  }
  if (suite.cycles_per_node != 0) one.cycles = suite.cycles_per_node * shape.nodes();
  if (suite.cycles_per_reset != 0) one.cycles = suite.cycles_per_reset * one.resets;
  std::vector<NetworkCase> of_nodes;
  if (failed.empty()) of_nodes.push_back(one);
  for (const unsigned node : failed) {
    NetworkCase& with = of_nodes.emplace_back(one);
    with.failed = node;
    with.name += fmt::format("-{}", node);
    if (suite.stalls_with_odd_failed && node % 2 == 0) with.back_pressure.kind = BackPressure::None;
  }
  for (const NetworkCase& of_node : of_nodes) add_seeds(cases, suite, of_node);
}

/// Adds the cases of a suite, which names no kind of traffic or one that works on the shape.
void add_suite(std::vector<NetworkCase>& cases, const NetworkSuiteSpec& suite,
               const maze::Shape& shape, std::uint64_t seed) {
  NetworkCase one = suite.shared;
  if (!suite.permutations) {
    one.name = name_of(suite);
    add_cases(cases, suite, one, shape, seed);
    return;
  }
  for (const topology::TrafficKind& kind : topology::traffic_kinds()) {
    if (!topology::refusal(kind, traffic_shape(shape)).empty()) continue;
    if (!is_permutation(destinations_of(kind, shape))) continue;
    one.kind = &kind;
    one.name = name_of(suite, kind.name);
    add_cases(cases, suite, one, shape, seed);
  }
}

/// Returns why a suite does not work on a shape, or nothing.
std::optional<std::string> problem(const NetworkSuiteSpec& suite, const maze::Shape& shape) {
  if (suite.permutations) {
    // A kind of a plugin may name nodes that are not there.
    for (const topology::TrafficKind& kind : topology::traffic_kinds()) {
      if (!topology::refusal(kind, traffic_shape(shape)).empty()) continue;
      if (auto wrong = kind_problem(kind, shape)) return wrong;
    }
  }
  std::vector<NetworkCase> cases;
  add_suite(cases, suite, shape, 1);
  for (const NetworkCase& network_case : cases) {
    const auto wrong = problem(ResetSpec{.count = network_case.resets}, network_case.cycles);
    if (network_case.resets != 0 && wrong) return wrong;
  }
  const topology::TrafficKind* const kind = suite.shared.kind;
  if (kind == nullptr) return std::nullopt;
  if (kind->hotspot && suite.shared.hotspot_node >= shape.nodes()) {
    return fmt::format("hotspot_node is {}, the last node of {}x{} nodes is {}",
                       suite.shared.hotspot_node, shape.nx, shape.ny, shape.nodes() - 1);
  }
  return kind_problem(*kind, shape);
}

/// Refuses a watchdog that allows less than a sound network may need: packets wait behind others
/// for receivers that stall.
void check_watchdog(common::Input<NetworkSpec>& file, const NetworkSuiteSpec& suite,
                    const std::string& path) {
  const auto stall =
      suite.shared.stall_each != 0
          ? std::optional(suite.shared.stall_each)
          : least_watchdog(suite.shared.back_pressure, file->shape, suite.shared.cycles);
  const std::uint64_t least = stall ? least_watchdog_of_stall(*stall, /*network=*/true) : 0;
  if (stall && suite.shared.watchdog_cycles >= least) return;
  file.error(path + ".watchdog_cycles",
             fmt::format("the watchdog allows {} cycles without movement, packets may wait longer "
                         "behind others for receivers that stall",
                         suite.shared.watchdog_cycles),
             stall ? fmt::format("set watchdog_cycles to {} or more", least)
                   : "set ready_probability above 0, or leave the watchdog out of checks");
}

/// Checks what the form of a regression of a network does not say.
void check(common::Input<NetworkSpec>& file) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < file->suites.size(); ++i) {
    const NetworkSuiteSpec& suite = file->suites[i];
    const std::string path = fmt::format("suites[{}]", i);
    const auto has = [&](const char* key) { return file.has(path + "." + key); };
    const std::string name = name_of(suite);
    if (!name.empty() && !names.insert(name).second) {
      file.error(path, fmt::format("a second suite '{}'", name),
                 "name and variant tell cases apart in reports and on the command line");
    }
    if (suite.shared.script) {
      const std::uint64_t window = suite.shared.checks.watchdog ? suite.shared.watchdog_cycles : 0;
      check_script<NetworkSpec, NetworkSuiteSpec>(
          file, path, *file->suites[i].shared.script,
          {{file->shape, true}, suite.shared.cycles, window},
          {"name", "variant", "script", "cycles", "watchdog_cycles", "after_failure", "checks"});
      continue;
    }
    if (const auto wrong = problem(suite, file->shape)) {
      file.error(path + (has("resets") ? ".resets" : ".pattern"), *wrong);
    }
    if (const auto wrong = problem(suite.shared.back_pressure)) {
      file.error(path + ".back_pressure", *wrong);
    } else if (suite.shared.checks.watchdog) {
      check_watchdog(file, suite, path);
    }
    if (suite.shared.pattern == NetworkPattern::Detours && suite.failed == FailedNodes::None) {
      file.error(path, "the pattern detours needs a failed node", "failed_node: each");
    }
    if (has("cycles") + has("cycles_per_node") + has("cycles_per_reset") > 1) {
      file.error(path, "has several of cycles, cycles_per_node and cycles_per_reset", "");
    }
    if (suite.shared.checks.delivery) {
      file.error(path + ".checks", "delivery is a checker of links, not of networks",
                 "lockstep, scoreboard, watchdog, assertions");
    }
    check_faults(file, path, file->suites[i].faults, suite.shared.checks, {file->shape, true});
    if (has("resets") && has("resets_in_all")) {
      file.error(path, "has both resets and resets_in_all", "");
    }
    if (has("cycles_per_reset") && !has("resets") && !has("resets_in_all")) {
      file.error(path + ".cycles_per_reset", "the suite has no resets", "");
    }
  }
}

}  // namespace

bool is_network_regression(const std::string& text, const std::string& path) {
  return dut_of_regression(text, path) == "network";
}

NetworkSpec parse_network_regression(std::string text, const std::string& path) {
  common::Diagnostics diagnostics;
  const common::YamlDocument document = common::YamlDocument::parse(text, path, diagnostics);
  common::Input<NetworkSpec> file(document.root(), diagnostics);
  file->text = std::move(text);
  check(file);
  diagnostics.throw_if_any();
  return *file;
}

std::vector<LeftOut> move_to_network(NetworkSpec& spec, const maze::Shape& shape) {
  std::vector<LeftOut> left_out;
  std::erase_if(spec.suites, [&](const NetworkSuiteSpec& suite) {
    auto reason = problem(suite, shape);
    if (suite.shared.script && spec.shape != shape) reason = "its script is of another network";
    if (!reason && spec.shape != shape && std::ranges::any_of(suite.faults, [](const auto& one) {
          return one.fault.link.has_value();
        })) {
      reason = "it injects a fault on a given link";
    }
    if (reason) left_out.push_back({suite.name, *std::move(reason), true});
    return reason.has_value();
  });
  spec.shape = shape;
  return left_out;
}

std::vector<NetworkCase> network_cases(const NetworkSpec& spec) {
  std::vector<NetworkCase> cases;
  for (const NetworkSuiteSpec& suite : spec.suites) {
    add_suite(cases, suite, spec.shape, spec.seed);
  }
  for (NetworkCase& network_case : cases) {
    network_case.deep_coverage = spec.deep_coverage;
    network_case.packets_per_link = spec.packets_per_link;
  }
  return cases;
}

}  // namespace kernbench::sim

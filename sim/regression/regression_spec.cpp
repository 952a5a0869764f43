// SPDX-License-Identifier: Apache-2.0
#include "sim/regression/regression_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>

#include "common/text_file.hpp"
#include "common/yaml_reader.hpp"
#include "sim/stimulus/traffic_names.hpp"
#include "sim/stimulus/traffic_rules.hpp"
#include "sim/trace/link_trace.hpp"

namespace kernbench::sim {

using common::BadInput;
using common::Diagnostic;
using common::Diagnostics;
using common::YamlDocument;
using common::YamlMap;
using common::YamlNode;
using maze::Shape;

namespace {

constexpr std::array<common::EnumName<SuiteKind>, 2> kSuiteKinds = {{
    {"traffic", SuiteKind::Traffic},
    {"connectivity", SuiteKind::Connectivity},
}};
constexpr std::array<common::EnumName<ResetPattern>, 2> kResetPatterns = {{
    {"random", ResetPattern::Random},
    {"sweep", ResetPattern::Sweep},
}};
constexpr std::array<std::string_view, 5> kCheckers = {"lockstep", "scoreboard", "watchdog",
                                                       "assertions", "delivery"};
constexpr std::uint64_t kMaxCycles = 1'000'000'000;

Shape read_fabric(YamlMap& regression, double& clock_ns) {
  YamlMap fabric = regression.optional_map("fabric");
  Shape shape;
  shape.nx = fabric.u32("nx", {.min = 2, .max = 16}, 8);
  shape.ny = fabric.u32("ny", {.min = 2, .max = 16}, 8);
  shape.flit_w = fabric.u32("flit_bits", {.min = 1, .max = 32}, 8);
  clock_ns = fabric.number("clock_ns", {.min = 0.0, .max = 1e6, .exclude_min = true}, 1.0);
  return shape;
}

/// The file that is read and the list for its errors.
struct Source {
  std::filesystem::path folder;
  Diagnostics& diagnostics;
};

/// Reads a trace before any case runs, so that its errors are reported with those of the
/// regression.
void check_trace(const YamlMap& traffic, const std::string& path, const Shape& shape,
                 Diagnostics& diagnostics) {
  std::string text;
  try {
    text = common::read_text_file(path);
  } catch (const BadInput& error) {
    traffic.error("trace_file", error.diagnostics().errors().front().message,
                  "a trace's path is relative to the folder of the regression");
    return;
  }
  diagnostics.add_source(path, text);
  try {
    (void)parse_link_trace(text, path, shape);
  } catch (const BadInput& error) {
    for (const Diagnostic& d : error.diagnostics().errors()) {
      diagnostics.error(d.position, d.message, d.hint);
    }
  }
}

TrafficSpec read_traffic(YamlMap& suite, const Shape& shape, const Source& source) {
  TrafficSpec spec;
  YamlMap traffic = suite.optional_map("traffic");
  spec.pattern = traffic.enumeration("pattern", kPatternNames, spec.pattern);
  spec.load = traffic.number("load", {.min = 0.0, .max = 1.0, .exclude_min = true}, spec.load);
  spec.qos_high = traffic.number("qos_high", {.min = 0.0, .max = 1.0}, spec.qos_high);
  spec.payload = traffic.enumeration("payload", kPayloadModeNames, spec.payload);
  spec.hotspot_node = traffic.u32("hotspot_node", {.min = 0, .max = shape.nodes() - 1}, 0);
  spec.hotspot_share = traffic.number("hotspot_share", {.min = 0.0, .max = 1.0}, 0.5);
  spec.burst_length = traffic.u32("burst_length", {.min = 1, .max = 1'000'000}, 16);
  spec.walk_packets = traffic.u32("walk_packets", {.min = 1, .max = 1'000'000}, 4);
  spec.longest = traffic.u32("longest", {.min = 1, .max = kLongestRun}, spec.longest);
  if (traffic.has("types")) {
    YamlMap types = traffic.map("types");
    constexpr std::array kTypes = {"unicast", "x_multicast", "y_multicast", "broadcast"};
    for (std::size_t i = 0; i < kTypes.size(); ++i) {
      spec.types[i] = types.number(kTypes[i], {.min = 0.0, .max = 1e6}, 0.0);
    }
  }
  if (traffic.has("trace_file")) {
    spec.trace_file = (source.folder / traffic.string("trace_file")).lexically_normal().string();
    if (spec.pattern == Pattern::Trace) {
      check_trace(traffic, spec.trace_file, shape, source.diagnostics);
    } else {
      traffic.error("trace_file", "only pattern trace reads a trace_file");
    }
  }
  if (const auto wrong = problem(spec, shape)) suite.error("traffic", *wrong);
  return spec;
}

BackPressureSpec read_back_pressure(YamlMap& suite) {
  BackPressureSpec spec;
  YamlMap map = suite.optional_map("back_pressure");
  spec.kind = map.enumeration("kind", kBackPressureNames, spec.kind);
  spec.ready_probability = map.number("ready_probability", {.min = 0.0, .max = 1.0}, 0.5);
  spec.ready_cycles = map.u32("ready_cycles", {.min = 1, .max = 1'000'000}, 3);
  spec.stalled_cycles = map.u32("stalled_cycles", {.min = 1, .max = 1'000'000}, 2);
  spec.stall_length = map.u32("stall_length", {.min = 1, .max = 1'000'000}, 40);
  spec.stall_interval = map.u32("stall_interval", {.min = 1, .max = 1'000'000}, 80);
  spec.longest = map.u32("longest", {.min = 1, .max = kLongestRun}, spec.longest);
  if (const auto wrong = problem(spec)) suite.error("back_pressure", *wrong);
  return spec;
}

Checks read_checks(YamlMap& suite) {
  Checks checks;
  if (!suite.has("checks")) return checks;
  checks = {false, false, false, false, false};
  const std::array<bool*, kCheckers.size()> flags = {
      &checks.lockstep, &checks.scoreboard, &checks.watchdog, &checks.assertions, &checks.delivery};
  for (const YamlNode& item : suite.list("checks", {.min = 1}))
    *flags[item.one_of(kCheckers)] = true;
  return checks;
}

/// Rejects expectations of checkers that the suite does not attach: they would never be tested.
std::vector<std::string> read_checker_list(YamlMap& fault, const char* key, const Checks& checks) {
  const std::array<bool, kCheckers.size()> attached = {
      checks.lockstep, checks.scoreboard, checks.watchdog, checks.assertions, checks.delivery};
  std::vector<std::string> names;
  for (const YamlNode& item : fault.optional_list(key)) {
    const std::size_t checker = item.one_of(kCheckers, 0);
    if (!attached[checker]) {
      item.error(fmt::format("the suite does not attach {}", kCheckers[checker]),
                 "name it under the suite's checks");
    }
    names.emplace_back(kCheckers[checker]);
  }
  return names;
}

/// Returns the port number of "x[3]" or "y[0]" in this shape.
std::optional<unsigned> port_number(std::string_view text, const Shape& shape) {
  for (unsigned port = 0; port < shape.ports(); ++port) {
    if (text == trace_port_name(port, shape)) return port;
  }
  return std::nullopt;
}

FaultCase read_fault(const YamlNode& node, const Shape& shape, const Checks& checks) {
  FaultCase result;
  YamlMap fault(node);
  std::vector<std::string_view> names;
  for (const FaultKind kind : all_fault_kinds()) names.push_back(fault_name(kind));
  result.fault.kind = all_fault_kinds()[fault.one_of("kind", names)];
  result.fault.cycle = fault.u64("cycle", {.min = 0, .max = kMaxCycles}, result.fault.cycle);
  result.fault.duration = fault.u64("duration", {.min = 1, .max = kMaxCycles}, 4000);
  if (fault.has("link")) {
    YamlMap link = fault.map("link");
    LinkEnd end;
    end.node = link.u32("node", {.min = 0, .max = shape.nodes() - 1});
    const std::string port = link.string("port");
    if (const auto number = port_number(port, shape)) {
      end.port = *number;
    } else {
      link.error(
          "port", fmt::format("'{}' is not a port of a node", port),
          fmt::format("x[0] to x[{}] or y[0] to y[{}]", shape.x_ports() - 1, shape.y_ports() - 1));
    }
    result.fault.link = end;
  }
  result.caught_by = read_checker_list(fault, "caught_by", checks);
  result.missed_by = read_checker_list(fault, "missed_by", checks);
  return result;
}

ResetSpec read_resets(YamlMap& suite, const SuiteSpec& spec) {
  ResetSpec resets;
  if (!suite.has("resets")) return resets;
  YamlMap map = suite.map("resets");
  resets.pattern = map.enumeration("pattern", kResetPatterns, ResetPattern::Random);
  resets.longest = map.u32("longest", {.min = 1, .max = 10'000}, resets.longest);
  if (resets.pattern == ResetPattern::Random) {
    resets.count = map.u32("count", {.min = 1, .max = 10'000}, 1);
  }
  if (!spec.reset_at.empty()) {
    suite.error("resets", "a suite has either reset_at or resets");
  } else if (const auto wrong = problem(resets, spec.cycles)) {
    suite.error("resets", *wrong);
  }
  return resets;
}

/// Refuses a suite that would accuse a sound fabric: one that is too short for its pattern, or
/// whose watchdog allows less than the stalls of its receivers.
void check_lengths(YamlMap& suite, const SuiteSpec& spec, const Shape& shape) {
  const std::uint64_t least = spec.checks.delivery ? least_cycles(spec.traffic, shape) : 0;
  if (spec.cycles < least) {
    suite.error(suite.has("cycles") ? "cycles" : "traffic",
                fmt::format("pattern {} with the check delivery needs at least {} cycles to use "
                            "all its links, the suite has {}",
                            to_string(spec.traffic.pattern), least, spec.cycles));
  }
  if (!spec.checks.watchdog || problem(spec.back_pressure)) return;
  const auto window = least_watchdog(spec.back_pressure, shape, spec.cycles);
  if (window && spec.watchdog_cycles >= *window) return;
  suite.error(suite.has("watchdog_cycles") ? "watchdog_cycles" : "back_pressure",
              fmt::format("the watchdog allows {} cycles without movement, the receivers may "
                          "stall longer",
                          spec.watchdog_cycles),
              window ? fmt::format("set watchdog_cycles to {} or more", *window)
                     : "set ready_probability above 0, or leave the watchdog out of checks");
}

SuiteSpec read_suite(const YamlNode& node, const Shape& shape, const Source& source) {
  const std::size_t errors_before = source.diagnostics.size();
  SuiteSpec spec;
  YamlMap suite(node);
  spec.name = suite.string("name");
  spec.kind = suite.enumeration("kind", kSuiteKinds, SuiteKind::Traffic);
  if (spec.kind == SuiteKind::Connectivity) return spec;
  spec.traffic = read_traffic(suite, shape, source);
  spec.back_pressure = read_back_pressure(suite);
  spec.cycles = suite.u64("cycles", {.min = 1, .max = kMaxCycles}, spec.cycles);
  spec.seeds = suite.u32("seeds", {.min = 1, .max = 10'000}, 1);
  spec.watchdog_cycles = suite.u64("watchdog_cycles", {.min = 10, .max = kMaxCycles}, 2'000);
  spec.after_failure = suite.u64("after_failure", {.min = 0, .max = kMaxCycles}, 8);
  for (const YamlNode& item : suite.optional_list("reset_at")) {
    const std::uint64_t at = item.u64({.min = 1, .max = kMaxCycles});
    if (at >= spec.cycles || (!spec.reset_at.empty() && at <= spec.reset_at.back())) {
      item.error("a reset must begin before the suite's last cycle and after the reset before it");
    }
    spec.reset_at.push_back(at);
  }
  spec.resets = read_resets(suite, spec);
  spec.checks = read_checks(suite);
  if (source.diagnostics.size() == errors_before) check_lengths(suite, spec, shape);
  for (const YamlNode& item : suite.optional_list("faults")) {
    spec.faults.push_back(read_fault(item, shape, spec.checks));
  }
  return spec;
}

}  // namespace

RegressionSpec load_regression(const std::string& path) {
  Diagnostics diagnostics;
  const YamlDocument document = YamlDocument::load(path, diagnostics);
  RegressionSpec spec;
  spec.path = path;
  {
    YamlMap regression(document.root());
    spec.name = regression.string("name");
    spec.shape = read_fabric(regression, spec.clock_ns);
    spec.seed = regression.u64("seed", {}, 1);
    spec.packets_per_link = regression.u64("packets_per_link", {}, 0);
    spec.full_coverage = regression.boolean("full_coverage", false);
    spec.deep_coverage = regression.boolean("deep_coverage", false);
    std::set<std::string> names;
    for (const YamlNode& item : regression.list("suites", {.min = 1})) {
      spec.suites.push_back(
          read_suite(item, spec.shape, {std::filesystem::path(path).parent_path(), diagnostics}));
      const std::string& name = spec.suites.back().name;
      if (!name.empty() && !names.insert(name).second) {
        item.error(fmt::format("a second suite named '{}'", name),
                   "names tell suites apart in reports and on the command line");
      }
    }
  }
  diagnostics.throw_if_any();
  for (const SuiteSpec& suite : spec.suites) {  // report bad traces before any case runs
    if (suite.traffic.pattern == Pattern::Trace) {
      static_cast<void>(read_link_trace(suite.traffic.trace_file, spec.shape));
    }
  }
  return spec;
}

std::vector<LeftOut> move_to_fabric(RegressionSpec& spec, const Shape& shape) {
  std::vector<LeftOut> left_out;
  if (spec.shape == shape) return left_out;
  const auto problem_of = [&](const SuiteSpec& suite) -> std::optional<std::string> {
    if (suite.kind == SuiteKind::Connectivity) return std::nullopt;
    if (suite.traffic.pattern == Pattern::Trace) return "its trace is of another fabric";
    if (std::ranges::any_of(suite.faults,
                            [](const FaultCase& f) { return f.fault.link.has_value(); })) {
      return "it injects a fault on a given link";
    }
    return problem(suite.traffic, shape);
  };
  std::erase_if(spec.suites, [&](const SuiteSpec& suite) {
    const auto reason = problem_of(suite);
    if (reason) left_out.push_back({suite.name, *reason, true});
    return reason.has_value();
  });
  spec.shape = shape;
  return left_out;
}

}  // namespace kernbench::sim

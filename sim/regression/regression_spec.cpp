// SPDX-License-Identifier: Apache-2.0
#include "sim/regression/regression_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "common/description.hpp"
#include "common/form_reader.hpp"
#include "common/text_file.hpp"
#include "sim/regression/fault_rules.hpp"
#include "sim/stimulus/traffic_names.hpp"
#include "sim/stimulus/traffic_rules.hpp"
#include "sim/trace/link_trace.hpp"

namespace kernbench::sim {

using common::BadInput;
using common::Diagnostic;
using common::Diagnostics;
using maze::Shape;

namespace {

/// Checks what the form of a regression does not say, and completes the spec.
class Rules {
 public:
  Rules(common::Input<RegressionSpec>& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics) {}

  void check() {
    std::set<std::string> names;
    for (std::size_t i = 0; i < file_->suites.size(); ++i) {
      SuiteSpec& suite = file_->suites[i];
      path_ = fmt::format("suites[{}]", i);
      if (suite.kind == SuiteKind::Traffic) check_suite(suite);
      if (!suite.name.empty() && !names.insert(suite.name).second) {
        error("", fmt::format("a second suite named '{}'", suite.name),
              "names tell suites apart in reports and on the command line");
      }
    }
  }

 private:
  [[nodiscard]] const Shape& shape() { return file_->shape; }
  /// Returns the name of a key of the suite in the whole file.
  [[nodiscard]] std::string at(const std::string& key) const {
    return key.empty() ? path_ : fmt::format("{}.{}", path_, key);
  }
  void error(const std::string& key, std::string message, std::string hint = {}) {
    file_.error(at(key), std::move(message), std::move(hint));
  }
  [[nodiscard]] bool has(const std::string& key) const { return file_.has(at(key)); }
  /// Reports a node that the fabric does not have.
  void check_node(const std::string& key, unsigned node) {
    file_.check_within(at(key), node, 0, shape().nodes() - 1);
  }

  void check_suite(SuiteSpec& suite) {
    if (suite.script) {
      const std::uint64_t window = suite.checks.watchdog ? suite.watchdog_cycles : 0;
      check_script<RegressionSpec, SuiteSpec>(
          file_, path_, *suite.script, {{shape(), false}, suite.cycles, window},
          {"name", "kind", "script", "cycles", "watchdog_cycles", "after_failure", "checks"});
      if (suite.checks.delivery) {
        error("checks", "delivery is of the links of a pattern, not of a script",
              "lockstep, scoreboard, watchdog, assertions");
      }
      return;
    }
    const std::size_t errors = diagnostics_.size();
    const bool is_sound = file_.places().sound({path_});
    check_traffic(suite.traffic);
    if (const auto wrong = problem(suite.back_pressure)) error("back_pressure", *wrong);
    for (std::size_t i = 0; i < suite.reset_at.size(); ++i) {
      if (suite.reset_at[i] < suite.cycles && (i == 0 || suite.reset_at[i - 1] < suite.reset_at[i]))
        continue;
      error(fmt::format("reset_at[{}]", i),
            "a reset must begin before the suite's last cycle and after the reset before it");
    }
    check_resets(suite);
    if (is_sound && diagnostics_.size() == errors) check_lengths(suite);
    check_faults(file_, path_, suite.faults, suite.checks, {shape(), false});
  }

  void check_traffic(TrafficSpec& traffic) {
    check_node("traffic.hotspot_node", traffic.hotspot_node);
    if (has("traffic.trace_file")) {
      const std::filesystem::path folder = std::filesystem::path(file_->path).parent_path();
      traffic.trace_file = (folder / traffic.trace_file).lexically_normal().string();
      if (traffic.pattern == Pattern::Trace) {
        check_trace(traffic.trace_file);
      } else {
        error("traffic.trace_file", "only pattern trace reads a trace_file");
      }
    }
    if (const auto wrong = problem(traffic, shape())) error("traffic", *wrong);
  }

  /// Reads a trace before any case runs, so that its errors are reported with those of the
  /// regression.
  void check_trace(const std::string& path) {
    std::string text;
    try {
      text = common::read_text_file(path);
    } catch (const BadInput& wrong) {
      return error("traffic.trace_file", wrong.diagnostics().errors().front().message,
                   "a trace's path is relative to the folder of the regression");
    }
    diagnostics_.add_source(path, text);
    try {
      (void)parse_link_trace(text, path, shape());
    } catch (const BadInput& wrong) {
      for (const Diagnostic& d : wrong.diagnostics().errors()) {
        diagnostics_.error(d.position, d.message, d.hint);
      }
    }
  }

  void check_resets(SuiteSpec& suite) {
    if (!has("resets")) return;
    ResetSpec& resets = suite.resets;
    if (resets.pattern == ResetPattern::Random && !has("resets.count")) resets.count = 1;
    if (!suite.reset_at.empty()) {
      error("resets", "a suite has either reset_at or resets");
    } else if (const auto wrong = problem(resets, suite.cycles)) {
      error("resets", *wrong);
    }
  }

  /// Refuses a suite that would accuse a sound fabric: one that is too short for its pattern, or
  /// whose watchdog allows less than the stalls of its receivers.
  void check_lengths(const SuiteSpec& suite) {
    const std::uint64_t least = suite.checks.delivery ? least_cycles(suite.traffic, shape()) : 0;
    if (suite.cycles < least) {
      error(has("cycles") ? "cycles" : "traffic",
            fmt::format("pattern {} with the check delivery needs at least {} cycles to use "
                        "all its links, the suite has {}",
                        pattern_name(suite.traffic), least, suite.cycles));
    }
    if (!suite.checks.watchdog || problem(suite.back_pressure)) return;
    const auto window = least_watchdog(suite.back_pressure, shape(), suite.cycles);
    if (window && suite.watchdog_cycles >= *window) return;
    error(has("watchdog_cycles") ? "watchdog_cycles" : "back_pressure",
          fmt::format("the watchdog allows {} cycles without movement, the receivers may "
                      "stall longer",
                      suite.watchdog_cycles),
          window ? fmt::format("set watchdog_cycles to {} or more", *window)
                 : "set ready_probability above 0, or leave the watchdog out of checks");
  }

  common::Input<RegressionSpec>& file_;
  Diagnostics& diagnostics_;
  std::string path_;  ///< name of the suite: "suites[1]"
};

}  // namespace

std::string SuiteSpec::traffic_name() const {
  if (kind == SuiteKind::Connectivity) return "one packet at a time";
  return script ? "script" : std::string(pattern_name(traffic));
}

std::string SuiteSpec::back_pressure_name() const {
  if (kind == SuiteKind::Connectivity) return {};
  if (!script) return std::string(to_string(back_pressure.kind));
  return script->stalls.empty() ? "none" : "script";
}

RegressionSpec load_regression(const std::string& path) {
  return parse_regression(common::read_text_file(path, common::kMaxYamlBytes), path);
}

RegressionSpec parse_regression(std::string text, const std::string& path) {
  Diagnostics diagnostics;
  const common::YamlDocument document = common::YamlDocument::parse(text, path, diagnostics);
  common::Input<RegressionSpec> file(document.root(), diagnostics);
  file->path = path;
  file->text = std::move(text);
  Rules(file, diagnostics).check();
  diagnostics.throw_if_any();
  for (const SuiteSpec& suite : file->suites) {  // report bad traces before any case runs
    if (suite.traffic.pattern == Pattern::Trace) {
      static_cast<void>(read_link_trace(suite.traffic.trace_file, file->shape));
    }
  }
  return *file;
}

std::string dut_of_regression(const std::string& text, const std::string& path) {
  common::Diagnostics diagnostics;
  const common::YamlDocument document = common::YamlDocument::parse(text, path, diagnostics);
  common::YamlMap map(document.root());
  const auto dut = map.node("dut");
  return dut && dut->is_scalar() ? std::string(dut->text()) : "";
}

std::vector<LeftOut> move_to_fabric(RegressionSpec& spec, const Shape& shape) {
  std::vector<LeftOut> left_out;
  if (spec.shape == shape) return left_out;
  const auto problem_of = [&](const SuiteSpec& suite) -> std::optional<std::string> {
    if (suite.kind == SuiteKind::Connectivity) return std::nullopt;
    if (suite.script) return "its script is of another fabric";
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

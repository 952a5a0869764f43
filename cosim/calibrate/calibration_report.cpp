// SPDX-License-Identifier: Apache-2.0
#include "cosim/calibrate/calibration_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <vector>

#include "common/description.hpp"
#include "common/hash.hpp"
#include "common/units.hpp"
#include "cosim/calibrate/parameters_file.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {
namespace {

using model::fabric::AnalyticParameters;

std::string percentages(const ErrorSummary& error) {
  return fmt::format("{:>7.2f}% {:>7.2f}% {:>7.2f}%", 100 * error.median, 100 * error.p95,
                     100 * error.max);
}

/// Values with the initial and with the fitted parameters.
template <typename V>
struct BeforeAfter {
  V before;
  V after;
};
struct ErrorBars {
  double median = kMedianBar;
  double p95 = kP95Bar;
};
struct LoadErrors {
  double load = 0.0;
  BeforeAfter<ErrorSummary> errors;
};

std::vector<LoadErrors> loads_of(const CalibrationRow& row) {
  std::vector<LoadErrors> loads;
  for (std::size_t i = 0; i < row.loads.size(); ++i) {
    loads.push_back({row.loads[i], {row.before[i], row.after[i]}});
  }
  return loads;
}

}  // namespace

}  // namespace kernbench::cosim

namespace kernbench::common {

using cosim::BeforeAfter;
using cosim::CalibrationPattern;
using cosim::CalibrationResult;
using cosim::CalibrationRow;
using cosim::ErrorBars;
using cosim::ErrorSummary;
using cosim::LoadErrors;
using model::fabric::AnalyticParameters;

template <>
const Description<ErrorSummary>& description_of() {
  static const auto kAll = Description<ErrorSummary>()
                               .add("transfers", &ErrorSummary::transfers)
                               .add("median", &ErrorSummary::median, "error, as a share")
                               .at_least(0)
                               .add("p95", &ErrorSummary::p95)
                               .at_least(0)
                               .add("max", &ErrorSummary::max)
                               .at_least(0);
  return kAll;
}

template <>
const Description<BeforeAfter<AnalyticParameters>>& description_of() {
  using Both = BeforeAfter<AnalyticParameters>;
  static const auto kAll =
      Description<Both>().add("before", &Both::before).add("after", &Both::after);
  return kAll;
}

template <>
const Description<BeforeAfter<ErrorSummary>>& description_of() {
  using Both = BeforeAfter<ErrorSummary>;
  static const auto kAll =
      Description<Both>().add("before", &Both::before).add("after", &Both::after);
  return kAll;
}

template <>
const Description<ErrorBars>& description_of() {
  static const auto kAll = Description<ErrorBars>()
                               .add("median", &ErrorBars::median)
                               .at_least(0)
                               .add("p95", &ErrorBars::p95)
                               .at_least(0);
  return kAll;
}

template <>
const Description<LoadErrors>& description_of() {
  static const auto kAll = Description<LoadErrors>()
                               .add("load", &LoadErrors::load, "packets per sender and cycle")
                               .at_least(0)
                               .add_members(&LoadErrors::errors);
  return kAll;
}

template <>
const Description<CalibrationRow>& description_of() {
  static const auto kAll =
      Description<CalibrationRow>()
          .add("pattern", &CalibrationRow::pattern)
          .add("held_out", &CalibrationRow::held_out, "from the fit")
          .add("bytes", &CalibrationRow::bytes, "of a transfer")
          .at_least(1)
          .add("saturation", &CalibrationRow::saturation, "packets per sender and cycle")
          .at_least(0)
          .add("loads", cosim::loads_of);
  return kAll;
}

template <>
const Description<CalibrationPattern>& description_of() {
  static const auto kAll =
      Description<CalibrationPattern>()
          .add("pattern", &CalibrationPattern::pattern)
          .add("held_out", &CalibrationPattern::held_out, "from the fit")
          .add("before", &CalibrationPattern::before, "over all its sizes and loads")
          .add("after", &CalibrationPattern::after);
  return kAll;
}

template <>
const Description<CalibrationResult>& description_of() {
  using Errors = BeforeAfter<ErrorSummary>;
  static const auto kAll =
      Description<CalibrationResult>()
          .add("parameters",
               [](const auto& all) {
                 return BeforeAfter<AnalyticParameters>{all.start, all.fitted};
               })
          .add("tried", &CalibrationResult::tried, "sets of parameters")
          .add(
              "bars", [](const auto& /*all*/) { return ErrorBars(); },
              "for each size and load of a held-out pattern")
          .add("reason", &CalibrationResult::reason, "empty if the outcome is pass")
          .add(
              "fit",
              [](const auto& all) {
                return Errors{all.fit_before, all.fit_after};
              },
              "over all transfers of the fitted half")
          .add(
              "held_out",
              [](const auto& all) {
                return Errors{all.held_out_before, all.held_out_after};
              },
              "over all transfers of the other half")
          .add("multicasts", &CalibrationResult::multicasts,
               "a mix of unicasts and multicasts, in neither half")
          .add("patterns", &CalibrationResult::patterns)
          .add("rows", &CalibrationResult::rows, "by pattern and size");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::cosim {

const plot::ReportKind kCalibrationReport = {
    .name = "cosim-calibration",
    .command = "cosim --calibrate",
    .about = "The analytic fabric fitted to the cycle reference",
    .envelope = {.grade = false},
    .form = common::form_of<CalibrationResult>};

std::string calibration_text(const CalibrationResult& result) {
  std::string text = fmt::format("{:<16} {:<8} {:>5} {:>10} {:>7} {:>9}  {:<26}  {}\n", "pattern",
                                 "half", "bytes", "saturation", "load", "transfers",
                                 "error before: med p95 max", "after: med p95 max");
  for (const CalibrationRow& row : result.rows) {
    for (std::size_t i = 0; i < row.loads.size(); ++i) {
      text += fmt::format("{:<16} {:<8} {:>5} {:>10.3f} {:>7.3f} {:>9}  {}  {}\n", row.pattern,
                          row.held_out ? "held out" : "fit", row.bytes, row.saturation,
                          row.loads[i], row.after[i].transfers, percentages(row.before[i]),
                          percentages(row.after[i]));
    }
  }
  text += fmt::format("\n{:<50} {:>9}  {:<26}  {}\n", "multicasts, in neither half",
                      result.multicasts.transfers, "", percentages(result.multicasts));
  text += fmt::format("\n{:<16} {:>6} {:>6}\n", "parameter", "before", "after");
  const nlohmann::json before = common::to_json(result.start);
  const nlohmann::json after = common::to_json(result.fitted);
  for (const common::ValueForm& member : common::form_of<AnalyticParameters>().parts) {
    text += fmt::format("{:<16} {:>6} {:>6}\n", member.name, before[member.name].dump(),
                        after[member.name].dump());
  }
  text += fmt::format("{} sets of parameters tried\n\n", result.tried);
  if (result.outcome != common::Outcome::Pass)
    return fmt::format("{}FAIL: {}\n", text, result.reason);
  return text + fmt::format(
                    "PASS: for each held-out pattern, size and load, median and p95 are within "
                    "{:.0f}% and "
                    "{:.0f}%\n",
                    100 * kMedianBar, 100 * kP95Bar);
}

std::string calibration_config_hash(const topology::SipSpec& sip,
                                    const CalibrationOptions& options) {
  common::ByteHash hash;
  hash.add(fmt::format("{} {} {} {} {}\n", sip.cube_mesh_w, sip.cube_mesh_h, sip.maze.flit_bits,
                       common::SimTime::from_ns(sip.maze.clock_ns).ps(),
                       static_cast<int>(sip.maze.order)));
  hash.add(fmt::format("{}\n{}\n{}\n{} {} {}\n", fmt::join(options.patterns, " "),
                       fmt::join(options.bytes, " "), fmt::join(options.shares, " "),
                       options.warmup, options.cycles, options.seed));
  hash.add(common::name_of(model::fabric::kMazeNodeKindNames, options.nodes));
  hash.add(parameters_text(options.start.value_or(model::fabric::default_parameters(options.nodes)),
                           ""));
  return common::hex64(hash.value());
}

}  // namespace kernbench::cosim

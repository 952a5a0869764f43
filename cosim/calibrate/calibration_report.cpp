// SPDX-License-Identifier: Apache-2.0
#include "cosim/calibrate/calibration_report.hpp"

#include <fmt/format.h>

#include "common/hash.hpp"
#include "common/units.hpp"
#include "cosim/calibrate/parameters_file.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {
namespace {

using Json = nlohmann::json;
using model::fabric::AnalyticParameters;

std::string percentages(const ErrorSummary& error) {
  return fmt::format("{:>7.2f}% {:>7.2f}% {:>7.2f}%", 100 * error.median, 100 * error.p95,
                     100 * error.max);
}

Json to_json(const AnalyticParameters& parameters) {
  return {{"queue_packets", parameters.queue_packets},
          {"stage_packets", parameters.stage_packets},
          {"restart_cycles", parameters.restart_cycles},
          {"multicast_stride", parameters.multicast_stride}};
}

Json to_json(const ErrorSummary& error) {
  return {{"transfers", error.transfers},
          {"median", error.median},
          {"p95", error.p95},
          {"max", error.max}};
}

Json to_json(const ErrorSummary& before, const ErrorSummary& after) {
  return {{"before", to_json(before)}, {"after", to_json(after)}};
}

}  // namespace

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
  const Json before = to_json(result.start);
  const Json after = to_json(result.fitted);
  for (const char* name :
       {"queue_packets", "stage_packets", "restart_cycles", "multicast_stride"}) {
    text += fmt::format("{:<16} {:>6} {:>6}\n", name, before[name].dump(), after[name].dump());
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

nlohmann::json calibration_json(const CalibrationResult& result) {
  Json rows = Json::array();
  for (const CalibrationRow& row : result.rows) {
    Json loads = Json::array();
    for (std::size_t i = 0; i < row.loads.size(); ++i) {
      Json load = to_json(row.before[i], row.after[i]);
      load["load"] = row.loads[i];
      loads.push_back(std::move(load));
    }
    rows.push_back({{"pattern", row.pattern},
                    {"held_out", row.held_out},
                    {"bytes", row.bytes},
                    {"saturation", row.saturation},
                    {"loads", std::move(loads)}});
  }
  Json patterns = Json::array();
  for (const CalibrationPattern& pattern : result.patterns) {
    Json of_pattern = to_json(pattern.before, pattern.after);
    of_pattern["pattern"] = pattern.pattern;
    of_pattern["held_out"] = pattern.held_out;
    patterns.push_back(std::move(of_pattern));
  }
  return {{"parameters", {{"before", to_json(result.start)}, {"after", to_json(result.fitted)}}},
          {"tried", result.tried},
          {"bars", {{"median", kMedianBar}, {"p95", kP95Bar}}},
          {"reason", result.reason},
          {"fit", to_json(result.fit_before, result.fit_after)},
          {"held_out", to_json(result.held_out_before, result.held_out_after)},
          {"multicasts", to_json(result.multicasts)},
          {"patterns", std::move(patterns)},
          {"rows", std::move(rows)}};
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "model/bench/launch_figures.hpp"
#include "model/bench/runner.hpp"
#include "model/trace/chrome_timeline.hpp"

namespace kernbench::cli {

/// Prints the measured regions of a run with their launches, or all launches if there are none.
void print_run_table(const model::bench::RunResult& result,
                     const std::vector<model::bench::LaunchFigures>& figures);

/// Returns the launches and the measured regions of a run for its report.
[[nodiscard]] nlohmann::json launches_json(const model::bench::RunResult& result,
                                           const std::vector<model::bench::LaunchFigures>& figures);
[[nodiscard]] nlohmann::json regions_json(const model::bench::RunResult& result,
                                          const std::vector<model::bench::LaunchFigures>& figures);

/// Returns each rank's part in each measured region, for a timeline.
[[nodiscard]] std::vector<model::trace::Span> region_spans(const model::bench::RunResult& result);

}  // namespace kernbench::cli

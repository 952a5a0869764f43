// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "common/grade.hpp"
#include "model/bench/launch_figures.hpp"
#include "model/bench/runner.hpp"

namespace kernbench::cli {

/// Prints the measured regions of a run with their launches, or all launches if there are none.
void print_run_table(const model::bench::RunResult& result,
                     const std::vector<model::bench::LaunchFigures>& figures);

/// Returns the launches and the measured regions of a run for its report.
[[nodiscard]] nlohmann::json launches_json(const model::bench::RunResult& result,
                                           const std::vector<model::bench::LaunchFigures>& figures);
[[nodiscard]] nlohmann::json regions_json(const model::bench::RunResult& result,
                                          const std::vector<model::bench::LaunchFigures>& figures);

/// Prints a line for each reason why times are not exact.
void print_reasons(const common::Grade& grade);
/// Prints a line for each algorithm that a group chose.
void print_choices(const model::bench::RunResult& result);
/// Returns the choices as a report has them.
[[nodiscard]] nlohmann::json choices_json(const model::bench::RunResult& result);

}  // namespace kernbench::cli

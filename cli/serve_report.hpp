// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/serving/serving_report.hpp"

namespace kernbench::cli {

void print_runs(const std::vector<model::serving::LoadRun>& runs);

/// The head of the table of requests.
inline constexpr std::string_view kServedHead =
    "load,arrival_s,prompt,output,admitted_s,first_token_s,end_s\n";
/// Returns a row for each request of a run that still has their times.
[[nodiscard]] std::string served_rows(const model::serving::LoadRun& run,
                                      const std::vector<model::serving::Request>& requests);
/// Prints the result and the worst step, and a warning if the checks do not hold. Says so if there
/// are none.
void print_checks(const model::serving::StepChecks& checks);

}  // namespace kernbench::cli

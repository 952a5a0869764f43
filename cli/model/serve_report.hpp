// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/serving/serving_report.hpp"

namespace kernbench::cli {

void print_runs(const std::vector<model::serving::LoadRun>& runs);

/// Prints the result and the worst step, and a warning if the checks do not hold. Says so if there
/// are none.
void print_checks(const model::serving::StepChecks& checks);

}  // namespace kernbench::cli

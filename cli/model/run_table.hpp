// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/report/run_report.hpp"

namespace kernbench::cli {

/// Prints the measured regions of a run with their launches, or all launches if there are none.
void print_run_table(const model::report::RunReport& run);

}  // namespace kernbench::cli

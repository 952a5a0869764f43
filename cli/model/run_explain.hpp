// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/report/run_report.hpp"

namespace kernbench::cli {

/// Prints the critical path of each stretch, its parts by component, operation, PE and link, how
/// busy parts were, and the launches on their rooflines.
void print_explanations(const model::report::RunReport& run);

}  // namespace kernbench::cli

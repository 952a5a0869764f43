// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/terminal.hpp"
#include "sim/cover/coverage_summary.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

using common::Colour;

/// Returns a regression as text for a terminal of 100 columns: suites, checkers, faults, coverage,
/// the first failures with the commands that run them again, and the outcome on the last line.
/// Commands and file names, which users copy, are not wrapped.
[[nodiscard]] std::string text_report(const RegressionResult& result,
                                      const CoverageSummary& coverage, Colour colour);

}  // namespace kernbench::sim

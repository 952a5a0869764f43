#pragma once

#include <string>

#include "sim/cover/coverage_summary.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

enum class Colour { Off, On };

/// The regression for a person at a terminal of 100 columns: suites, checkers, faults, coverage,
/// the first failures with what re-runs them, and the outcome on the last line. Only commands and
/// file names, which are there to be copied, may be wider.
[[nodiscard]] std::string text_report(const RegressionResult& result,
                                      const CoverageSummary& coverage, Colour colour);

}  // namespace kernbench::sim

#pragma once

#include <nlohmann/json.hpp>

#include "sim/cover/coverage_summary.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// Hit and total, and all missed bins, by group.
[[nodiscard]] nlohmann::json coverage_json(const CoverageSummary& coverage);

/// The `data` member of a report of kind "regression", as docs/report-schema.md describes it.
/// The same result gives the same text, but for the members named `host`.
[[nodiscard]] nlohmann::json regression_data(const RegressionResult& result,
                                             const CoverageSummary& coverage);

}  // namespace kernbench::sim

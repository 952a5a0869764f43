// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "sim/cover/coverage_summary.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// Returns hit and total numbers and all missed bins, by group.
[[nodiscard]] nlohmann::json coverage_json(const CoverageSummary& coverage);

/// Returns the `data` member of a report of kind "regression" (docs/report-schema.md). Equal
/// results give equal text, except for the members named `host`.
[[nodiscard]] nlohmann::json regression_data(const RegressionResult& result,
                                             const CoverageSummary& coverage);

}  // namespace kernbench::sim

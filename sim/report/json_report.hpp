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

/// Returns the checks that the RTL of a model has.
[[nodiscard]] nlohmann::json rtl_checks_json(const RtlChecks& checks);
/// Returns the output of the RTL in a case, or null.
[[nodiscard]] nlohmann::json rtl_text_json(const RtlText& text);

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "plot/report_kind.hpp"
#include "sim/cover/coverage_summary.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// The report of a regression.
extern const plot::ReportKind kRegressionReport;

/// Returns its data. Equal results give equal text, except for the members named `host`.
[[nodiscard]] nlohmann::json regression_data(const RegressionResult& result,
                                             const CoverageSummary& coverage);

}  // namespace kernbench::sim

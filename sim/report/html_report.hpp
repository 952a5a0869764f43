// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/cover/coverage_summary.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// Returns a regression as one HTML page that needs no other file, no network and no script. Links
/// to waves are relative to the page's folder.
[[nodiscard]] std::string html_report(const RegressionResult& result,
                                      const CoverageSummary& coverage);

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/cover/coverage_summary.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// Writes report.json, report.html, junit.xml and summary.txt into `folder`, which is created if it
/// does not exist. Each file is written atomically. Returns a message for each file that cannot be
/// written; the others are written all the same.
[[nodiscard]] std::vector<std::string> write_reports(const std::filesystem::path& folder,
                                                     const RegressionResult& result,
                                                     const CoverageSummary& coverage);

}  // namespace kernbench::sim

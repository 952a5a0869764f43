#pragma once

#include <filesystem>

#include "sim/cover/coverage_summary.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// Writes report.json, report.html, junit.xml and summary.txt into `folder`, which is created if it
/// does not exist. Each file is written atomically, and none is written when one cannot be opened.
/// Throws common::BadInput with the path that cannot be written.
void write_reports(const std::filesystem::path& folder, const RegressionResult& result,
                   const CoverageSummary& coverage);

}  // namespace kernbench::sim

#pragma once

#include <filesystem>

#include "sim/cover/coverage_summary.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// Writes report.json, report.html, junit.xml and summary.txt into `folder`, which is created when
/// it is missing. Each file appears whole or not at all, and none when one of them cannot be
/// opened. Throws common::BadInput, naming what cannot be written.
void write_reports(const std::filesystem::path& folder, const RegressionResult& result,
                   const CoverageSummary& coverage);

}  // namespace kernbench::sim

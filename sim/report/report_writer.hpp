// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "common/report_envelope.hpp"
#include "sim/cover/coverage_summary.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// Returns the envelope of an artefact of a regression, without its kind and its data.
[[nodiscard]] common::ReportEnvelope report_header(const RegressionResult& result);

/// Writes files, of a name and a text each, into `folder`, which is created if it does not exist.
/// Each file is written atomically. Returns a message for each file that cannot be written; the
/// others are written all the same.
[[nodiscard]] std::vector<std::string> write_files(
    const std::filesystem::path& folder,
    const std::vector<std::pair<const char*, std::string>>& files);

/// Writes report.json, report.html, junit.xml and summary.txt into `folder` like write_files().
[[nodiscard]] std::vector<std::string> write_reports(const std::filesystem::path& folder,
                                                     const RegressionResult& result,
                                                     const CoverageSummary& coverage);

}  // namespace kernbench::sim

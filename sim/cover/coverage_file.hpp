// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "common/report_envelope.hpp"
#include "plot/report_kind.hpp"
#include "sim/cover/coverage_data.hpp"
#include "sim/cover/covered_run.hpp"

namespace kernbench::sim {

/// A coverage file (coverage_form.hpp).
extern const plot::ReportKind kCoverageReport;

/// Returns the `data` of a coverage file.
[[nodiscard]] nlohmann::json coverage_json(const CoverageData& coverage,
                                           const std::vector<CoveredRun>& runs = {});

/// Writes a report of kind "coverage" atomically. `runs` are those that the coverage is of, at
/// least one. `header` gives outcome, seed, config hash, revision and command. Throws
/// common::BadInput when `path` cannot be written.
void write_coverage_file(const std::filesystem::path& path, const CoverageData& coverage,
                         const std::vector<CoveredRun>& runs, common::ReportEnvelope header);

/// Reads a coverage file. Throws common::BadInput with the file and all its errors when
/// write_coverage_file() could not have written it.
[[nodiscard]] CoverageOfRuns read_coverage_file(const std::filesystem::path& path);

/// Runs that a merge accepts beside those of one model that passed.
struct MergeRules {
  bool failed_runs = false;
  bool other_models = false;
};

/// Reads and merges coverage files. Throws common::BadInput with the errors of all files at once:
/// unreadable files, files whose design or goal differs from the first one's, repeated files, and
/// runs that the rules do not accept.
[[nodiscard]] CoverageOfRuns merge_coverage_files(const std::vector<std::filesystem::path>& paths,
                                                  const MergeRules& rules = {});

/// Reads a list of coverage files: one path per line, relative to the list's folder. A `#` at the
/// start of a line or after a blank begins a comment. Throws common::BadInput, with the line of
/// each error, for missing and repeated files and for an empty list.
[[nodiscard]] std::vector<std::filesystem::path> read_coverage_list(
    const std::filesystem::path& list);

}  // namespace kernbench::sim

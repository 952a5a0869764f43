#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "common/report_envelope.hpp"
#include "sim/cover/coverage_data.hpp"

namespace kernbench::sim {

/// Version of what a coverage file holds as its `data`; a file with another one is refused.
inline constexpr std::uint64_t kCoverageSchema = 1;

/// The `data` of a coverage file: the bins as they were hit (planes as 16-digit hexadecimal words,
/// by port), and what follows from them: the summary and the names of all missed bins.
[[nodiscard]] nlohmann::json coverage_json(const CoverageData& coverage);

/// Writes a report of kind "coverage", whole or not at all. `header` gives outcome, seed, config
/// hash, revision and command. Throws common::BadInput when `path` cannot be written.
void write_coverage_file(const std::filesystem::path& path, const CoverageData& coverage,
                         common::ReportEnvelope header);

/// Throws common::BadInput, naming the file and everything that is wrong with it, for anything that
/// write_coverage_file() would not have written.
[[nodiscard]] CoverageData read_coverage_file(const std::filesystem::path& path);

/// Reads and merges. Throws common::BadInput with the errors of all files at once: besides unusable
/// files, those of another design or with another goal than the first, and any given twice.
[[nodiscard]] CoverageData merge_coverage_files(const std::vector<std::filesystem::path>& paths);

/// The paths in a list of coverage files: one a line, relative to the list's folder; what follows a
/// `#` at the start of a line or after a blank is a comment. Throws common::BadInput, with the line
/// of each error, for files that do not exist or are listed twice, and for a list without any.
[[nodiscard]] std::vector<std::filesystem::path> read_coverage_list(
    const std::filesystem::path& list);

}  // namespace kernbench::sim

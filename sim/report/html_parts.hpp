// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "plot/report_page.hpp"
#include "sim/cover/coverage_summary.hpp"
#include "sim/report/regression_digest.hpp"

namespace kernbench::sim {

/// Appends formatted text.
template <typename... Args>
void print(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

/// Returns the name of the outcome as a coloured badge.
[[nodiscard]] std::string outcome_badge(common::Outcome outcome);
/// Appends one entry of a list of facts (<dl>).
void print_fact(std::string& out, const char* name, const std::string& value);
/// Appends one figure of a row of tiles, marked as short when it is not `complete`.
void print_tile(std::string& out, bool complete, const std::string& value,
                const std::string& label);

/// The colours of a heat map: ten levels from the smallest to the largest count above 0.
struct HeatScale {
  std::uint64_t low = 0, high = 0;  ///< both 0 when all counts are

  explicit HeatScale(const std::vector<std::uint64_t>& counts);
  /// Returns the level of a count above 0, the number of its colour in the style sheet.
  [[nodiscard]] unsigned level(std::uint64_t n) const;
  /// Returns all colours of the ramp 'p' or 's' between the two counts.
  [[nodiscard]] std::string ramp(char name) const;
};

/// Returns a table of groups and how much of each was hit.
[[nodiscard]] std::string group_table(const std::string& label,
                                      const std::vector<CoverageGroup>& groups);

// Sections of the HTML report. A section without contents has no body.

/// Returns a section with one cell per link: rows are receiving nodes, columns their input ports.
/// The colour shows packets or, when switched, stalled cycles. Links without deliveries and links
/// on which a case failed are highlighted.
[[nodiscard]] plot::ReportSection heat_map_section(const RegressionResult& result,
                                                   const topology::MazeLinks& links);
[[nodiscard]] plot::ReportSection suites_section(const RegressionDigest& digest);
[[nodiscard]] plot::ReportSection checkers_section(const RegressionDigest& digest);
[[nodiscard]] plot::ReportSection kill_matrix_section(const KillMatrix& kills);
/// Folds the groups at 100 %, or all groups when the run was not required to cover them.
[[nodiscard]] plot::ReportSection coverage_section(const CoverageSummary& coverage, bool required);
[[nodiscard]] plot::ReportSection proofs_section(const RegressionResult& result);
/// `json` is the name of the report that has all bins.
[[nodiscard]] plot::ReportSection missed_bins_section(const CoverageSummary& coverage,
                                                      const char* json = "report.json");
/// `json` is the name of the report that has all cases.
[[nodiscard]] plot::ReportSection failures_section(const RegressionDigest& digest,
                                                   const topology::MazeLinks& links,
                                                   const char* json = "report.json");

}  // namespace kernbench::sim

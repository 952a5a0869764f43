// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plot/html_text.hpp"
#include "plot/report_page.hpp"
#include "sim/cover/coverage_summary.hpp"
#include "sim/report/regression_digest.hpp"

namespace kernbench::sim {

using plot::outcome_badge;
using plot::print;
using plot::print_fact;
using plot::print_tile;

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

/// The counts of a map of the links, by receiving port, then by receiving node. Vectors may be
/// short.
struct LinkCounts {
  std::vector<std::uint64_t> packets;
  std::vector<std::uint64_t> stalls;
  std::string_view title = "stalled cycles";  ///< name of the map that `stalls` colour
  std::string_view noun = "stall";            ///< unit of `stalls`
  std::vector<bool> failing{};                ///< links on which a case failed
};
/// Returns a section with one cell per link: rows are receiving nodes, columns their input ports.
/// The colour shows packets or, when switched, stalls. Links without deliveries and failing links
/// are highlighted.
[[nodiscard]] plot::ReportSection heat_map_section(const LinkCounts& counts,
                                                   const topology::MazeLinks& links);
/// Returns such a section with the packets, stalled cycles and failures of a regression.
[[nodiscard]] plot::ReportSection heat_map_section(const RegressionResult& result,
                                                   const topology::MazeLinks& links);
[[nodiscard]] plot::ReportSection suites_section(const RegressionDigest& digest);
[[nodiscard]] plot::ReportSection checkers_section(const RegressionDigest& digest);
[[nodiscard]] plot::ReportSection kill_matrix_section(const KillMatrix& kills);
/// Folds the groups at 100 %, or all groups when the run was not required to cover them.
[[nodiscard]] plot::ReportSection coverage_section(const CoverageSummary& coverage, bool required);
[[nodiscard]] plot::ReportSection proofs_section(const RegressionResult& result);
[[nodiscard]] plot::ReportSection missed_bins_section(const CoverageSummary& coverage);
[[nodiscard]] plot::ReportSection failures_section(const RegressionDigest& digest,
                                                   const Ports& ports);
[[nodiscard]] plot::ReportSection known_section(const RegressionDigest& digest, const Ports& ports);

}  // namespace kernbench::sim

#pragma once

#include <string>

#include "sim/cover/coverage_summary.hpp"
#include "sim/report/regression_digest.hpp"

namespace kernbench::sim {

/// The outcome's name on a coloured badge.
[[nodiscard]] std::string outcome_badge(common::Outcome outcome);

/// One row of a list of facts (<dl>), and one figure of a row of tiles; `complete` is a good one.
void print_fact(std::string& out, const char* name, const std::string& value);
void print_tile(std::string& out, bool complete, const std::string& value,
                const std::string& label);

// Cards of the HTML report. Each is empty when it has nothing to show.
[[nodiscard]] std::string suites_html(const RegressionDigest& digest);
[[nodiscard]] std::string checkers_html(const RegressionDigest& digest);
[[nodiscard]] std::string kill_matrix_html(const KillMatrix& kills);
[[nodiscard]] std::string coverage_html(const CoverageSummary& coverage);
[[nodiscard]] std::string missed_bins_html(const CoverageSummary& coverage);
[[nodiscard]] std::string failures_html(const RegressionDigest& digest,
                                        const topology::MazeLinks& links);

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "sim/cover/coverage_summary.hpp"
#include "sim/report/regression_digest.hpp"

namespace kernbench::sim {

/// Appends formatted text.
template <typename... Args>
void print(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

/// Returns the style sheet of the reports, for light and dark screens. It uses no resource outside
/// the page and implements everything that can be switched or hovered, so a page needs no script.
[[nodiscard]] std::string_view html_style();

/// Returns a relative path as the target of a link. Percent-encodes all characters except letters,
/// digits and `-._~/`, so that no path can be read as a scheme, a query or a fragment.
[[nodiscard]] std::string path_to_href(std::string_view path);

/// Returns the name of the outcome as a coloured badge.
[[nodiscard]] std::string outcome_badge(common::Outcome outcome);
/// Appends one entry of a list of facts (<dl>).
void print_fact(std::string& out, const char* name, const std::string& value);
/// Appends one figure of a row of tiles, marked as short when it is not `complete`.
void print_tile(std::string& out, bool complete, const std::string& value,
                const std::string& label);

// Cards of the HTML report. A card without contents is an empty string.

/// Returns a card with one cell per link: rows are receiving nodes, columns their input ports. The
/// colour shows packets or, when switched, stalled cycles. Links without deliveries and links on
/// which a case failed are highlighted.
[[nodiscard]] std::string heat_map_html(const RegressionResult& result,
                                        const topology::MazeLinks& links);
[[nodiscard]] std::string suites_html(const RegressionDigest& digest);
[[nodiscard]] std::string checkers_html(const RegressionDigest& digest);
[[nodiscard]] std::string kill_matrix_html(const KillMatrix& kills);
[[nodiscard]] std::string coverage_html(const CoverageSummary& coverage);
[[nodiscard]] std::string proofs_html(const RegressionResult& result);
[[nodiscard]] std::string missed_bins_html(const CoverageSummary& coverage);
[[nodiscard]] std::string failures_html(const RegressionDigest& digest,
                                        const topology::MazeLinks& links);

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plot/report_kind.hpp"
#include "sim/network/network_regression.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// Files that write_network_reports() writes.
inline constexpr std::array<const char*, 3> kNetworkReports = {"network.json", "network.html",
                                                               "network.xml"};

/// The report of a network.
extern const plot::ReportKind kNetworkReport;

/// Returns its data. Equal results give equal text, except for the members named `host`.
[[nodiscard]] nlohmann::json network_data(const NetworkRegression& network);

/// Returns a regression as one HTML page that loads nothing and is complete without its script.
[[nodiscard]] std::string network_html(const NetworkRegression& network);

/// Returns what the reports of TOPO and of a network have in common, with a case that fails if bins
/// were missed: for junit_report() and sections of the page.
[[nodiscard]] RegressionResult as_regression(const NetworkRegression& network);

/// Writes all reports into `folder` like write_files().
[[nodiscard]] std::vector<std::string> write_network_reports(const std::filesystem::path& folder,
                                                             const NetworkRegression& network);

}  // namespace kernbench::sim

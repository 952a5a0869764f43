// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "plot/report_page.hpp"
#include "sim/regression/user_traffic.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// Returns the rules that the sections below need.
[[nodiscard]] std::string user_style();

/// Returns a section with two maps of the nodes: packets accepted at A, copies delivered at B.
[[nodiscard]] plot::ReportSection node_maps_section(const UserTraffic& traffic,
                                                    const topology::MazeLinks& links);
/// Returns a section with a table of latencies and a histogram of each QoS level and type.
[[nodiscard]] plot::ReportSection latency_section(const UserTraffic& traffic);

}  // namespace kernbench::sim

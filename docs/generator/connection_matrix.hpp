// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "topology/maze_links.hpp"

namespace kernbench::docs {

/// Returns the connection matrix, one row for every link in the order of `links.links()`.
/// CSV columns: source node, its y, x and port, target node, its y, x and port, IRS depth, and the
/// hierarchical name of the link's IRS_N below TOPO in rtl/topo.sv.
[[nodiscard]] std::string connection_csv(const topology::MazeLinks& links);
/// Returns the matrix for reading: a Markdown table for every source node.
[[nodiscard]] std::string connection_markdown(const topology::MazeLinks& links);

}  // namespace kernbench::docs

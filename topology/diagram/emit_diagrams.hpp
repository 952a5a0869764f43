// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// Writes `<level>_view.svg` into `folder` for each level in the spec's visualization.emit_views;
/// `with_pe_view` adds the PE view. Creates the folder if it is missing. Returns the paths of the
/// files, in the order system, sip, cube, pe. Throws common::BadInput if a file cannot be written.
std::vector<std::filesystem::path> emit_diagrams(const TopologyGraph& graph,
                                                 const std::filesystem::path& folder,
                                                 bool with_pe_view = false);

}  // namespace kernbench::topology

#pragma once

#include <filesystem>
#include <vector>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// Writes `<level>_view.svg` into `folder` (created where it is missing) for each level that the
/// spec's visualization.emit_views names; `with_pe_view` adds the PE view. Returns what it wrote,
/// in the order system, sip, cube, pe. Throws common::BadInput when a file cannot be written.
std::vector<std::filesystem::path> emit_diagrams(const TopologyGraph& graph,
                                                 const std::filesystem::path& folder,
                                                 bool with_pe_view = false);

}  // namespace kernbench::topology

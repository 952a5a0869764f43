// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// A compiled graph and the state of its mesh file.
struct ResolvedTopology {
  TopologyGraph graph;
  bool mesh_reused = false;
  std::vector<std::string> warnings;  ///< non-fatal problems with the mesh file
};

/// Reads the spec at `path`, reuses or writes the mesh file next to it, and compiles the graph
/// (ADR-0053 "First action"). Throws common::BadInput.
[[nodiscard]] ResolvedTopology resolve_topology(const std::filesystem::path& path);

/// Returns the path of the mesh file: "dir/cube_mesh.yaml" for "dir/topology.yaml".
[[nodiscard]] std::filesystem::path mesh_path_beside(const std::filesystem::path& spec_path);

}  // namespace kernbench::topology

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// A compiled graph and how its mesh file was obtained.
struct ResolvedTopology {
  TopologyGraph graph;
  bool mesh_reused = false;
  std::vector<std::string>
      warnings;  ///< problems with the mesh file that did not stop the compilation
};

/// Reads the spec at `path`, reuses or writes the mesh file beside it, and compiles the graph
/// (ADR-0053 "First action"). Throws common::BadInput.
[[nodiscard]] ResolvedTopology resolve_topology(const std::filesystem::path& path);

/// Returns the path of the mesh file: "dir/topology.yaml" gives "dir/cube_mesh.yaml".
[[nodiscard]] std::filesystem::path mesh_path_beside(const std::filesystem::path& spec_path);

}  // namespace kernbench::topology

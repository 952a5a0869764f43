#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// Compiles a spec and the mesh of its cubes into the graph: the six stages of ADR-0053 D1. The
/// spec must have passed the reader; nothing here fails for one that has.
[[nodiscard]] TopologyGraph compile_topology(const TopologySpec& spec, const CubeMesh& mesh);

/// The same with the mesh that lay_out_cube_mesh() gives for the spec's cube.
[[nodiscard]] TopologyGraph compile_topology(const TopologySpec& spec);

/// A graph and what should be said about how it was made.
struct ResolvedTopology {
  TopologyGraph graph;
  bool mesh_reused = false;
  std::vector<std::string> warnings;  ///< about the mesh file
};

/// Reads `path`, makes or reuses `cube_mesh.yaml` beside it, compiles (ADR-0053 "First action").
/// Throws common::BadInput.
[[nodiscard]] ResolvedTopology resolve_topology(const std::filesystem::path& path);

/// "topology.yaml" -> "cube_mesh.yaml" in the same folder.
[[nodiscard]] std::filesystem::path mesh_path_beside(const std::filesystem::path& spec_path);

}  // namespace kernbench::topology

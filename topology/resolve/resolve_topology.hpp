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

/// Reads the spec at `path`, reuses or writes its mesh file, and compiles the graph (ADR-0053
/// "First action"). The mesh file is beside the spec; if that folder cannot be written and has no
/// fitting one, it is in the user's cache folder. With `settings` (load_topology_spec()) no mesh
/// file is read or written. Throws common::BadInput.
[[nodiscard]] ResolvedTopology resolve_topology(const std::filesystem::path& path,
                                                const std::vector<std::string>& settings = {});

/// Returns the path of the mesh file beside a spec: "dir/a.cube_mesh.yaml" for "dir/a.yaml".
[[nodiscard]] std::filesystem::path mesh_path_beside(const std::filesystem::path& spec_path);

}  // namespace kernbench::topology

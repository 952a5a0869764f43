// SPDX-License-Identifier: Apache-2.0
#include "topology/resolve/resolve_topology.hpp"

#include "topology/graph/compile.hpp"
#include "topology/mesh/mesh_file.hpp"
#include "topology/spec/spec_reader.hpp"

namespace kernbench::topology {

std::filesystem::path mesh_path_beside(const std::filesystem::path& spec_path) {
  return spec_path.parent_path() / "cube_mesh.yaml";
}

ResolvedTopology resolve_topology(const std::filesystem::path& path) {
  const TopologySpec spec = load_topology_spec(path);
  MeshFile mesh = ensure_mesh_file(spec.cube, mesh_path_beside(expand_home(path)));
  ResolvedTopology resolved{compile_topology(spec, mesh.mesh), mesh.reused, {}};
  if (mesh.warning) resolved.warnings.push_back(*mesh.warning);
  return resolved;
}

}  // namespace kernbench::topology

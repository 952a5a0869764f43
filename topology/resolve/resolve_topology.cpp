// SPDX-License-Identifier: Apache-2.0
#include "topology/resolve/resolve_topology.hpp"

#include <optional>
#include <utility>

#include "common/places.hpp"
#include "topology/graph/compile.hpp"
#include "topology/mesh/mesh_file.hpp"
#include "topology/spec/spec_reader.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

/// Reuses or writes the mesh file of `cube`, in the cache if `beside` cannot be written. A file of
/// the cache has the hash of the mesh's inputs as its name, so that specs share it.
MeshFile mesh_of(const CubeSpec& cube, const std::filesystem::path& beside) {
  if (common::is_writable_folder(beside.parent_path())) return ensure_mesh_file(cube, beside);
  if (auto mesh = read_mesh_file(cube, beside)) return {std::move(*mesh), true, {}};
  const auto cache = common::user_cache_folder();
  if (!cache) return ensure_mesh_file(cube, beside);
  const std::filesystem::path folder = *cache / "meshes";
  std::error_code unwritable;  // ensure_mesh_file() reports it
  std::filesystem::create_directories(folder, unwritable);
  return ensure_mesh_file(cube, folder / (mesh_source_hash(cube) + ".cube_mesh.yaml"));
}

}  // namespace

std::filesystem::path mesh_path_beside(const std::filesystem::path& spec_path) {
  return spec_path.parent_path() / (spec_path.stem().string() + ".cube_mesh.yaml");
}

ResolvedTopology resolve_topology(const std::filesystem::path& path,
                                  const std::vector<std::string>& settings) {
  const TopologySpec spec = load_topology_spec(path, settings);
  // The mesh file beside a spec is that of the file, and runs with other settings may share it.
  if (!settings.empty()) return {compile_topology(spec), false, {}};
  MeshFile mesh = mesh_of(spec.cube, mesh_path_beside(common::expand_home(path)));
  ResolvedTopology resolved{compile_topology(spec, mesh.mesh), mesh.reused, {}};
  if (mesh.warning) resolved.warnings.push_back(*mesh.warning);
  return resolved;
}

}  // namespace kernbench::topology

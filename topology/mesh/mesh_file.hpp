// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "topology/mesh/cube_mesh.hpp"

namespace kernbench::topology {

/// Version of the file format and of the layout rules. Increment it when either changes.
inline constexpr std::uint32_t kMeshLayoutVersion = 2;

/// Returns the hash of the five inputs of the mesh (ADR-0053 D2) as 16 hexadecimal digits:
/// geometry, pe_layout, ucie.n_connections, memory_map.hbm_mapping_mode and placement. The rows of
/// routers are part of the geometry if they are given.
[[nodiscard]] std::string mesh_source_hash(const CubeSpec& cube);

/// Returns the text of a mesh file. `source_hash`, `layout_version` and `content_hash` in it
/// reveal an outdated, damaged or edited file.
[[nodiscard]] std::string render_mesh_file(const CubeMesh& mesh, std::string_view source_hash);

/// A mesh and how it was obtained.
struct MeshFile {
  CubeMesh mesh;
  bool reused = false;                 ///< true if the file was reused
  std::optional<std::string> warning;  ///< problem with the file, or reason why it was not written
};

/// Returns the mesh in `path` if the file is that of `cube`, and undamaged.
[[nodiscard]] std::optional<CubeMesh> read_mesh_file(const CubeSpec& cube,
                                                     const std::filesystem::path& path);

/// Reuses the mesh in `path` if its source_hash is that of `cube`; otherwise lays out a new mesh
/// and replaces the file atomically (ADR-0053 D2). A damaged or edited file is replaced with a
/// warning. Failure to write the file is also only a warning.
[[nodiscard]] MeshFile ensure_mesh_file(const CubeSpec& cube, const std::filesystem::path& path);

}  // namespace kernbench::topology

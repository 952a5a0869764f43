#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "topology/mesh/cube_mesh.hpp"

namespace kernbench::topology {

/// Of the file's format and of the layout rules; raise it when either changes.
inline constexpr std::uint32_t kMeshLayoutVersion = 1;

/// Hash of the five inputs that decide the mesh (ADR-0053 D2): geometry, pe_layout,
/// ucie.n_connections, memory_map.hbm_mapping_mode and placement. 16 hexadecimal digits.
[[nodiscard]] std::string mesh_source_hash(const CubeSpec& cube);

/// The text of `cube_mesh.yaml`. Beside `source_hash` it has `layout_version` and a
/// `content_hash`, by which an outdated, damaged or edited file is noticed.
[[nodiscard]] std::string render_mesh_file(const CubeMesh& mesh, std::string_view source_hash);

/// A mesh and how it was come by.
struct MeshFile {
  CubeMesh mesh;
  bool reused = false;                 ///< cache hit
  std::optional<std::string> warning;  ///< what was wrong with the file, or why it is not written
};

/// Reuses the mesh in `path` if its source_hash is that of `cube`, or lays out a new one and
/// replaces the file whole (ADR-0053 D2). A file that cannot be trusted is replaced with a
/// warning; one that cannot be written costs a warning too, never the run.
[[nodiscard]] MeshFile ensure_mesh_file(const CubeSpec& cube, const std::filesystem::path& path);

}  // namespace kernbench::topology

// SPDX-License-Identifier: Apache-2.0
#include "topology/mesh/mesh_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/enum_names.hpp"
#include "common/hash.hpp"
#include "common/text_file.hpp"
#include "common/yaml_reader.hpp"
#include "topology/spec/cube_spec.hpp"
#include "topology/spec/length.hpp"

namespace kernbench::topology {

using common::BadInput;
using common::Diagnostics;
using common::YamlDocument;
using common::YamlMap;
using common::YamlNode;

namespace {

constexpr std::array<std::string_view, 4> kUcieKeys = {"ucie_n", "ucie_e", "ucie_s", "ucie_w"};

std::string list_of(const std::vector<double>& values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string slot_text(GridSlot slot) {
  return fmt::format("[{}, {}]", slot.row, slot.column);
}

std::string list_of(const std::vector<GridSlot>& slots) {
  std::vector<std::string> texts;
  texts.reserve(slots.size());
  for (const GridSlot slot : slots) texts.push_back(slot_text(slot));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string render_content(const CubeMesh& mesh) {
  std::string text =
      fmt::format("columns_mm: {}\nrows_mm: {}\nrows_per_half: {}\n", list_of(mesh.column_xs_mm),
                  list_of(mesh.row_ys_mm), mesh.rows_per_half);
  text += fmt::format(
      "# Router slots are [row, column]; the HBM zone between these two has none.\n"
      "hbm_first: {}\nhbm_last: {}\npes:\n",
      slot_text(mesh.hbm_first), slot_text(mesh.hbm_last));
  for (std::size_t pe = 0; pe < mesh.pe_centers.size(); ++pe) {
    text += fmt::format("  - {{center_mm: [{}, {}], router: {}}}\n", mesh.pe_centers[pe].x,
                        mesh.pe_centers[pe].y, slot_text(mesh.pe_routers[pe]));
  }
  text += fmt::format("m_cpu: {}\nsram: {}\n", slot_text(mesh.m_cpu_router),
                      slot_text(mesh.sram_router));
  for (std::size_t side = 0; side < kUcieKeys.size(); ++side) {
    text += fmt::format("{}: {}\n", kUcieKeys.at(side), list_of(mesh.ucie_routers.at(side)));
  }
  text += fmt::format("ucie_pe_rows: [{}]\n", fmt::join(mesh.ucie_pe_rows, ", "));
  return text;
}

std::vector<double> read_numbers(const std::vector<YamlNode>& items) {
  std::vector<double> values;
  values.reserve(items.size());
  for (const YamlNode& item : items) values.push_back(item.number());
  return values;
}

GridSlot read_slot(const YamlNode& node) {
  const std::vector<YamlNode> pair = node.list({.min = 2, .max = 2});
  return pair.empty() ? GridSlot{} : GridSlot{pair[0].u32(), pair[1].u32()};
}

GridSlot read_slot(YamlMap& map, std::string_view key) {
  const auto node = map.node(key);
  return node ? read_slot(*node) : GridSlot{};
}

/// Reads the output of render_mesh_file(). Anything else leaves errors in the document's
/// diagnostics.
CubeMesh read_mesh(YamlMap& file) {
  CubeMesh mesh;
  mesh.column_xs_mm = read_numbers(file.list("columns_mm"));
  mesh.row_ys_mm = read_numbers(file.list("rows_mm"));
  mesh.rows_per_half = file.u32("rows_per_half");
  mesh.hbm_first = read_slot(file, "hbm_first");
  mesh.hbm_last = read_slot(file, "hbm_last");
  for (const YamlNode& item : file.list("pes")) {
    YamlMap pe(item);
    const std::vector<double> center = read_numbers(pe.list("center_mm", {.min = 2, .max = 2}));
    mesh.pe_centers.push_back(center.size() == 2 ? PositionMm{center[0], center[1]} : PositionMm{});
    mesh.pe_routers.push_back(read_slot(pe, "router"));
  }
  mesh.m_cpu_router = read_slot(file, "m_cpu");
  mesh.sram_router = read_slot(file, "sram");
  for (std::size_t side = 0; side < kUcieKeys.size(); ++side) {
    for (const YamlNode& item : file.list(kUcieKeys.at(side))) {
      mesh.ucie_routers.at(side).push_back(read_slot(item));
    }
  }
  for (const YamlNode& item : file.list("ucie_pe_rows")) mesh.ucie_pe_rows.push_back(item.u32());
  return mesh;
}

/// Far above the size of any mesh; larger files are not parsed.
constexpr std::uintmax_t kMaxFileBytes = 1U << 20U;

/// Result of reading a mesh file.
struct Found {
  std::optional<CubeMesh> mesh;        ///< present if the file can be reused
  std::optional<std::string> problem;  ///< reason to replace the file with a warning
};

Found look_at_mesh_file(const std::filesystem::path& path, std::string_view source_hash) {
  std::error_code missing;
  const std::uintmax_t bytes = std::filesystem::file_size(path, missing);
  if (missing && !std::filesystem::exists(path, missing)) return {};
  if (bytes > kMaxFileBytes) return {{}, "is damaged or was edited"};
  try {
    const std::string text = common::read_text_file(path);
    Diagnostics diagnostics;
    const YamlDocument document = YamlDocument::parse(text, path.string(), diagnostics);
    CubeMesh mesh;
    std::string found_hash;
    std::uint32_t version = 0;
    {
      YamlMap file(document.root());
      version = file.u32("layout_version");
      found_hash = file.string("source_hash");
      (void)file.string("content_hash");
      if (version != kMeshLayoutVersion) {
        (void)file.entries();  // keys of another version are not checked
        return {{}, fmt::format("has layout_version {}, not {}", version, kMeshLayoutVersion)};
      }
      mesh = read_mesh(file);
    }
    // Compare with the exact bytes that would be written, hashes included, to detect any change.
    if (!diagnostics.empty() || text != render_mesh_file(mesh, found_hash)) {
      return {{}, "is damaged or was edited"};
    }
    if (found_hash != source_hash) return {};  // mesh of another cube: an ordinary miss
    return {std::move(mesh), {}};
  } catch (const BadInput&) {
    return {{}, "is damaged or was edited"};
  }
}

}  // namespace

std::string mesh_source_hash(const CubeSpec& cube) {
  std::vector<std::string_view> corners;
  for (const Corner corner : cube.corners) corners.push_back(common::name_of(kCornerNames, corner));
  std::string inputs = fmt::format(
      "geometry {} x {}\npe_layout {} x {}\nn_connections {}\nhbm_mapping_mode {}\n"
      "m_cpu {}, {}\nsram {}, {}\n",
      to_nm(cube.w_mm), to_nm(cube.h_mm), fmt::join(corners, " "), cube.pe_per_corner,
      cube.ucie_n_connections,
      common::name_of(kHbmMappingModeNames, cube.memory_map.hbm_mapping_mode),
      to_nm(cube.m_cpu_pos.x), to_nm(cube.m_cpu_pos.y), to_nm(cube.sram_pos.x),
      to_nm(cube.sram_pos.y));
  if (cube.router_rows_per_half) {
    inputs += fmt::format("router_rows_per_half {}\n", *cube.router_rows_per_half);
  }
  if (cube.max_column_gap_mm != CubeSpec().max_column_gap_mm) {
    inputs += fmt::format("max_column_gap {}\n", to_nm(cube.max_column_gap_mm));
  }
  return common::hex64(common::hash_bytes(inputs));
}

std::string render_mesh_file(const CubeMesh& mesh, std::string_view source_hash) {
  const std::string content = render_content(mesh);
  return fmt::format(
      "# Router mesh of a cube, laid out from a topology file. Regenerated when that changes.\n"
      "# Do not edit: an edited file is replaced.\n"
      "layout_version: {}\nsource_hash: \"{}\"\ncontent_hash: \"{}\"\n{}",
      kMeshLayoutVersion, source_hash,
      common::hex64(common::hash_bytes(fmt::format("{}\n{}", source_hash, content))), content);
}

std::optional<CubeMesh> read_mesh_file(const CubeSpec& cube, const std::filesystem::path& path) {
  return look_at_mesh_file(path, mesh_source_hash(cube)).mesh;
}

MeshFile ensure_mesh_file(const CubeSpec& cube, const std::filesystem::path& path) {
  const std::string source_hash = mesh_source_hash(cube);
  Found found = look_at_mesh_file(path, source_hash);
  if (found.mesh) return {std::move(*found.mesh), true, {}};

  MeshFile made{lay_out_cube_mesh(cube), false, {}};
  if (found.problem) {
    made.warning = fmt::format("{}: {}; it is regenerated", path.string(), *found.problem);
  }
  try {
    common::write_file_atomically(path, render_mesh_file(made.mesh, source_hash));
  } catch (const BadInput& error) {
    made.warning = fmt::format("{}; continuing without a mesh file",
                               error.diagnostics().errors().front().message);
  }
  return made;
}

}  // namespace kernbench::topology

// SPDX-License-Identifier: Apache-2.0
#include "topology/spec/spec_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <vector>

#include "topology/spec/noc_topologies.hpp"
#include "topology/spec/router_columns.hpp"

namespace kernbench::topology {
namespace {

constexpr const char* kWidth = "cube.geometry.cube_mm.w";
constexpr const char* kHeight = "cube.geometry.cube_mm.h";
constexpr const char* kRouterRows = "cube.geometry.router_rows_per_half";
constexpr const char* kCorners = "cube.pe_layout.corners";
constexpr const char* kPePerCorner = "cube.pe_layout.pe_per_corner";
constexpr const char* kColumnGap = "cube.pe_layout.max_column_gap_mm";
constexpr const char* kMapping = "cube.memory_map.hbm_mapping_mode";
constexpr const char* kConnections = "cube.ucie.n_connections";
constexpr const char* kSlices = "cube.memory_map.slices_per_cube";
constexpr const char* kHbmGb = "cube.memory_map.hbm_total_gb";
constexpr const char* kPageBytes = "cube.memory_map.page_bytes";
constexpr const char* kSlots = "pe.pe_ipcq.attrs.slots";
constexpr const char* kBacking = "pe.pe_ipcq.attrs.backing";
constexpr const char* kSlotBytes = "pe.pe_ipcq.attrs.slot_bytes";

class Rules {
 public:
  Rules(const TopologySpec& spec, const common::KeyPlaces& places, common::Diagnostics& diagnostics)
      : spec_(spec), cube_(spec.cube), places_(places), diagnostics_(diagnostics) {}

  void check() {
    check_maze_size("sip.cube_mesh.w", spec_.sip.cube_mesh_w);
    check_maze_size("sip.cube_mesh.h", spec_.sip.cube_mesh_h);
    check_failed_node();
    check_io_names();
    check_width();
    check_columns();
    check_height();
    check_placement("cube.placement.m_cpu.pos_mm", cube_.m_cpu_pos);
    check_placement("cube.placement.sram.pos_mm", cube_.sram_pos);
    check_slices();
    check_page();
    check_slots();
  }

 private:
  /// Reports an error at the first of `keys` that is in the file, as a default has no line to show.
  void error(const std::vector<std::string>& keys, std::string message, std::string hint) {
    const auto given = std::find_if(keys.begin(), keys.end(),
                                    [&](const std::string& key) { return places_.at(key).given; });
    const std::string& shown = given == keys.end() ? keys.front() : *given;
    diagnostics_.error(places_.at(shown).position, std::move(message), std::move(hint));
  }

  /// Returns, for example, "cube.geometry.cube_mm.w is 9 (the default)".
  template <typename T>
  [[nodiscard]] std::string value_of(const std::string& key, const T& value) const {
    return fmt::format("{} is {}{}", key, value, places_.origin(key));
  }

  void check_maze_size(const std::string& key, std::uint32_t cubes) {
    if (spec_.sip.inter_cube != InterCube::Maze || cubes >= 2) return;
    if (!places_.sound({key, "sip.inter_cube"})) return;
    error({key, "sip.inter_cube"},
          fmt::format("a MAZE has 2 to 16 nodes per side, but {}", value_of(key, cubes)),
          "use 'inter_cube: ucie_mesh' for a single row or column");
  }

  void check_failed_node() {
    const auto failed = spec_.sip.maze.failed_node;
    const std::uint32_t cubes = spec_.sip.cube_mesh_w * spec_.sip.cube_mesh_h;
    const std::string key = "sip.maze.failed_node";
    if (!failed || *failed < cubes) return;
    if (!places_.sound({key, "sip.cube_mesh.w", "sip.cube_mesh.h"})) return;
    error({key}, fmt::format("{} is {}, but the last cube is {}", key, *failed, cubes - 1),
          fmt::format("0 to {}", cubes - 1));
  }

  void check_io_names() {
    if (!places_.at("sip.io_chiplets").given) return;
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < spec_.sip.io_chiplets.size(); ++i) {
      const std::string& id = spec_.sip.io_chiplets[i].id;
      const std::string key = fmt::format("sip.io_chiplets[{}].id", i);
      if (!places_.sound({key})) continue;
      const auto [named, is_new] = first.try_emplace(id, i);
      if (!is_new) {
        error({key}, fmt::format("duplicate IO chiplet name '{}'{}", id, places_.origin(key)),
              fmt::format("item {} of 'io_chiplets' already has that name", named->second + 1));
      }
      if (id.starts_with("cube") && id.find_first_not_of("0123456789", 4) == std::string::npos &&
          id.size() > 4) {
        error({key},
              fmt::format("an IO chiplet cannot be named '{}': the name is reserved for cubes", id),
              fmt::format("name it io{}", i));
      }
    }
  }

  /// Each PE takes 3 mm of its corner's half of the cube.
  void check_width() {
    if (!places_.sound({kWidth, kPePerCorner})) return;
    const double needed = 6.0 * cube_.pe_per_corner;
    if (cube_.w_mm >= needed) return;
    error({kWidth, kPePerCorner},
          fmt::format("{} PEs per corner do not fit into half of the cube's width: {}",
                      cube_.pe_per_corner, value_of(kWidth, cube_.w_mm)),
          fmt::format("a PE takes 3 mm: make it at least {}, or reduce {}", needed, kPePerCorner));
  }

  /// HBM takes the two middle columns of routers; the mesh needs at least one more on each side.
  void check_columns() {
    if (!places_.sound({kWidth, kPePerCorner, kColumnGap, kCorners})) return;
    if (cube_.w_mm < 6.0 * cube_.pe_per_corner) return;  // see check_width()
    constexpr std::size_t kLeast = 4;
    const auto columns = [](const CubeSpec& cube) { return router_columns_nm(cube).size(); };
    if (columns(cube_) >= kLeast) return;
    CubeSpec denser = cube_;
    while (columns(denser) < kLeast) denser.max_column_gap_mm /= 2;
    CubeSpec wider = cube_;
    while (columns(wider) < kLeast) wider.w_mm += 0.1;
    error({kWidth, kColumnGap, kPePerCorner},
          fmt::format("the cube has fewer than 4 columns of routers, and HBM takes the middle 2: "
                      "{}, {}",
                      value_of(kWidth, cube_.w_mm), value_of(kColumnGap, cube_.max_column_gap_mm)),
          fmt::format("make the width at least {:.1f}, or the gap at most {}", wider.w_mm,
                      denser.max_column_gap_mm));
  }

  /// The first row of routers is 1.5 mm from the edge. The rows of a half follow, then 1.5 mm to
  /// the HBM row and 1.5 mm to the middle.
  void check_height() {
    const char* const cause = cube_.router_rows_per_half ? kRouterRows : kConnections;
    if (!places_.sound({kHeight, cause})) return;
    constexpr double kMinRowPitchMm = 0.1;
    const std::uint32_t rows = cube_.rows_per_half();
    const double needed = 9.0 + 2.0 * kMinRowPitchMm * (rows - 1);
    if (cube_.h_mm >= needed) return;
    error({kHeight, cause},
          fmt::format("{} row{} of routers per half and the two HBM rows do not fit: {}", rows,
                      rows == 1 ? "" : "s", value_of(kHeight, cube_.h_mm)),
          fmt::format("make it at least {:.4g}", needed));
  }

  void check_placement(const std::string& key, const PositionMm& position) {
    if (!places_.sound({key, kWidth, kHeight})) return;
    if (position.x <= cube_.w_mm && position.y <= cube_.h_mm) return;
    error({key, kWidth, kHeight},
          fmt::format("{} is [{}, {}]{}, outside the cube", key, position.x, position.y,
                      places_.origin(key)),
          fmt::format("x ranges from 0 to {} and y from 0 to {}", cube_.w_mm, cube_.h_mm));
  }

  void check_slices() {
    if (!places_.sound({kSlices, kCorners, kPePerCorner, kMapping})) return;
    const std::uint32_t slices = cube_.memory_map.slices_per_cube;
    const bool striped = cube_.memory_map.is_striped();
    if (slices == cube_.pes() || (striped && slices < cube_.pes())) return;
    error({kSlices, kPePerCorner, kCorners},
          fmt::format("{}, but the cube has {} PEs", value_of(kSlices, slices), cube_.pes()),
          striped
              ? fmt::format("a slice stands at the router of a PE: make it at most {}", cube_.pes())
              : fmt::format("each PE owns one HBM slice: make it {}", cube_.pes()));
  }

  void check_page() {
    const MemoryMapSpec& memory = cube_.memory_map;
    if (!places_.sound({kPageBytes})) return;
    if (!std::has_single_bit(memory.page_bytes)) {
      error({kPageBytes},
            fmt::format("'page_bytes' must be a power of two, not {}", memory.page_bytes),
            fmt::format("{} or {}", std::bit_floor(memory.page_bytes),
                        std::bit_ceil(memory.page_bytes)));
    }
    if (!places_.sound({kHbmGb, kSlices}) || memory.page_bytes <= memory.hbm_slice_bytes()) return;
    error({kPageBytes, kHbmGb, kSlices},
          fmt::format("a page of {} bytes does not fit into an HBM slice of {} bytes",
                      memory.page_bytes, memory.hbm_slice_bytes()),
          fmt::format("a slice is {} * 2^30 / {}", kHbmGb, kSlices));
  }

  /// The slots of a PE's queue are in its own TCM or HBM slice, or in the SRAM shared by all PEs.
  void check_slots() {
    const PeSpec& pe = spec_.pe;
    const MemoryMapSpec& memory = cube_.memory_map;
    if (!places_.sound({kSlots, kSlotBytes, kBacking})) return;
    const std::uint64_t own = pe.pe_ipcq_ring_bytes();
    std::string capacity;
    std::string where;
    std::string whose;
    std::uint64_t needed = own;
    std::uint64_t bytes = 0;
    switch (pe.pe_ipcq_backing) {
      case SlotBacking::Tcm:
        capacity = "cube.memory_map.tcm_mb";
        where = "the TCM";
        bytes = std::uint64_t{memory.tcm_mb} << 20U;
        break;
      case SlotBacking::Sram:
        if (!places_.sound({kCorners, kPePerCorner})) return;
        capacity = "cube.memory_map.sram_mb";
        where = "the SRAM";
        whose = fmt::format(" for each of the {} PEs", cube_.pes());
        needed = own * cube_.pes();
        bytes = std::uint64_t{memory.sram_mb} << 20U;
        break;
      case SlotBacking::Hbm:
        if (!places_.sound({kSlices, kCorners, kPePerCorner})) return;
        capacity = kHbmGb;
        where = "an HBM slice";
        bytes = cube_.hbm_bytes_of_pe();
        break;
    }
    if (!places_.sound({capacity}) || needed <= bytes) return;
    error({kSlots, kSlotBytes, kBacking, capacity},
          fmt::format("{} slots of {} bytes{} do not fit into {}", pe.pe_ipcq_slots,
                      pe.pe_ipcq_slot_bytes, whose, where),
          fmt::format("they need {} bytes of {}", needed, bytes));
  }

  const TopologySpec& spec_;
  const CubeSpec& cube_;
  const common::KeyPlaces& places_;
  common::Diagnostics& diagnostics_;
};

}  // namespace

void check_spec_rules(const TopologySpec& spec, const common::KeyPlaces& places,
                      common::Diagnostics& diagnostics) {
  Rules(spec, places, diagnostics).check();
  check_noc_topologies(spec, places, diagnostics);
}

}  // namespace kernbench::topology

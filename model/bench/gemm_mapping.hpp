// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/enum_names.hpp"
#include "model/data/data_type.hpp"
#include "model/kernel/tl.hpp"
#include "topology/spec/spec_forward.hpp"

namespace kernbench::model::bench {

/// How the PEs share a GEMM, C (m x n) = A (m x k) B (k x n).
enum class GemmMapping : std::uint8_t {
  Blocks,   ///< C: rows over the cubes, columns over the PEs of a cube; A and B spread by rows
  Rows,     ///< A and C spread by rows over all PEs; a copy of B in each cube
  Columns,  ///< B and C spread by columns over all PEs; a copy of A in each cube
};
inline constexpr std::array<common::EnumName<GemmMapping>, 3> kGemmMappingNames = {
    {{"blocks", GemmMapping::Blocks},
     {"rows", GemmMapping::Rows},
     {"columns", GemmMapping::Columns}}};

struct GemmSize {
  std::uint64_t m = 0;
  std::uint64_t k = 0;
  std::uint64_t n = 0;
};

/// Returns the mapping in which a PE reads the fewest elements of A and B.
[[nodiscard]] GemmMapping best_mapping(const GemmSize& size, std::uint32_t cubes,
                                       std::uint32_t pes);

/// Returns all mappings, the one in which a PE reads the fewest elements of A and B first.
[[nodiscard]] std::vector<GemmMapping> ranked_mappings(const GemmSize& size, std::uint32_t cubes,
                                                       std::uint32_t pes);

/// Returns the time that a product takes at least on `cubes` cubes with `pes` PEs each: PEs read
/// their tiles of A and B over their wires, and all together from their HBM slices.
[[nodiscard]] double least_ns(const GemmSize& size, GemmMapping mapping, data::DataType type,
                              std::uint32_t cubes, std::uint32_t pes,
                              const topology::TopologySpec& spec);

/// Returns tiles for a product of this size on one PE. A tile of C is as large as the accumulators
/// allow, of equal parts of the product and of the shape that reads the fewest elements. A tile of
/// A and one of B together have about 160 KiB: long reads hide the latency of the memory, and three
/// in flight fit into the TCM. Sizes of 0 count as 1.
[[nodiscard]] kernel::CompositeOptions fit_tiles(const GemmSize& product, data::DataType type,
                                                 std::uint64_t accumulator_bytes);

/// Returns the tile along k with which a PE begins: those of one cube begin at different cubes'
/// parts of B, and so do PEs of one number in different cubes. `k_tiles` is at least 1.
[[nodiscard]] std::uint64_t first_k_tile(std::uint64_t k_tiles, const kernel::ProgramPlace& place);

}  // namespace kernbench::model::bench

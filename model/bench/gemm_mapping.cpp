// SPDX-License-Identifier: Apache-2.0
#include "model/bench/gemm_mapping.hpp"

#include <algorithm>
#include <limits>

#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {

namespace {

constexpr std::uint64_t kTileBytes = std::uint64_t{160} << 10U;  ///< a tile of A and one of B
constexpr std::uint64_t kTileStep = 64;                          ///< divides tile_k
constexpr std::uint32_t kTilesInFlight = 3;

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

}  // namespace

GemmMapping best_mapping(const GemmSize& size, std::uint32_t cubes, std::uint32_t pes) {
  const std::uint64_t all = std::uint64_t{cubes} * pes;
  const std::uint64_t blocks = ceil_div(size.m, cubes) + ceil_div(size.n, pes);
  const std::uint64_t rows = ceil_div(size.m, all) + size.n;
  const std::uint64_t columns = size.m + ceil_div(size.n, all);
  if (blocks <= std::min(rows, columns)) return GemmMapping::Blocks;
  return rows <= columns ? GemmMapping::Rows : GemmMapping::Columns;
}

std::vector<GemmMapping> ranked_mappings(const GemmSize& size, std::uint32_t cubes,
                                         std::uint32_t pes) {
  std::vector<GemmMapping> mappings = {best_mapping(size, cubes, pes)};
  for (const auto& [name, mapping] : kGemmMappingNames) {
    if (mapping != mappings.front()) mappings.push_back(mapping);
  }
  return mappings;
}

double least_ns(const GemmSize& size, GemmMapping mapping, data::DataType type, std::uint32_t cubes,
                std::uint32_t pes, const topology::TopologySpec& spec) {
  const std::uint64_t all = std::uint64_t{cubes} * pes;
  const bool is_blocks = mapping == GemmMapping::Blocks;
  const std::uint64_t row_parts = is_blocks ? cubes : mapping == GemmMapping::Rows ? all : 1;
  const std::uint64_t column_parts = all / row_parts;
  const GemmSize of_pe{ceil_div(size.m, row_parts), size.k, ceil_div(size.n, column_parts)};
  const kernel::CompositeOptions tiles =
      fit_tiles(of_pe, type, spec.pe.pe_gemm_accumulator_bytes());
  const std::uint64_t elements = size.k * (of_pe.m * ceil_div(of_pe.n, tiles.tile_n) +
                                           of_pe.n * ceil_div(of_pe.m, tiles.tile_m));
  const auto bytes = static_cast<double>(elements * bytes_of(type));
  const std::uint64_t used = ceil_div(size.m, of_pe.m) * ceil_div(size.n, of_pe.n);
  const topology::MemoryMapSpec& memory = spec.cube.memory_map;
  const double slice_gbs = memory.slice_bw_gbs();
  const double of_all = bytes * static_cast<double>(used) / (slice_gbs * static_cast<double>(all));
  return std::max(bytes / spec.cube.links.pe_to_router.bw_gbs, of_all);
}

kernel::CompositeOptions fit_tiles(const GemmSize& product, data::DataType type,
                                   std::uint64_t accumulator_bytes) {
  const std::uint64_t m = std::max<std::uint64_t>(product.m, 1);
  const std::uint64_t n = std::max<std::uint64_t>(product.n, 1);
  const std::uint64_t most = accumulator_bytes / bytes_of(accumulator_of(type));
  kernel::CompositeOptions tiles;
  tiles.tiles_in_flight = kTilesInFlight;
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (std::uint64_t parts = ceil_div(m, most); parts <= m; ++parts) {
    const std::uint64_t tile_m = ceil_div(m, parts);
    const std::uint64_t columns = ceil_div(n, most / tile_m);
    const std::uint64_t read = m * columns + n * parts;  // for each k
    if (n * parts >= fewest) break;
    if (read >= fewest) continue;
    fewest = read;
    tiles.tile_m = tile_m;
    tiles.tile_n = ceil_div(n, columns);
  }
  // A streamed tile of i4 fills its bytes.
  if (!bytes_of(type).fills(tiles.tile_n) && tiles.tile_n > 1) --tiles.tile_n;
  const std::uint64_t of_one_k = (tiles.tile_m + tiles.tile_n) * bytes_of(type);
  tiles.tile_k = std::max(kTileBytes / of_one_k / kTileStep, std::uint64_t{1}) * kTileStep;
  return tiles;
}

std::uint64_t first_k_tile(std::uint64_t k_tiles, const kernel::ProgramPlace& place) {
  const std::uint64_t all = place.cubes * place.pes;
  const std::uint64_t turn = (place.cube * place.pes + place.pe * place.cubes) % all;
  return k_tiles * turn / all;
}

}  // namespace kernbench::model::bench

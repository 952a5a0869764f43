// SPDX-License-Identifier: Apache-2.0
#include "model/bench/gemm_mapping.hpp"

#include <algorithm>
#include <limits>

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

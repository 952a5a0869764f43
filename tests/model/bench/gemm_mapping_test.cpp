// SPDX-License-Identifier: Apache-2.0
// Tests how a matrix product is spread over PEs and cut into tiles, and what that is worth.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tuple>

#include "model/bench/evaluation/gemm_sweep.hpp"
#include "model/bench/gemm_mapping.hpp"
#include "model/bench/launch_figures.hpp"
#include "model/bench/runner.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using data::DataType;
using Tile = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

constexpr std::uint64_t kAccumulators = 256 * 1024;

Tile tile_of(std::uint64_t m, std::uint64_t n, DataType type = DataType::F16,
             std::uint64_t accumulators = kAccumulators) {
  const kernel::CompositeOptions tiles = fit_tiles({m, 1, n}, type, accumulators);
  EXPECT_LE(tiles.tile_m * tiles.tile_n * 4, accumulators);
  return {tiles.tile_m, tiles.tile_k, tiles.tile_n};
}

TEST(GemmTiles, FillTheAccumulatorsWithTheShapeThatReadsLeast) {
  EXPECT_EQ(tile_of(128, 256), Tile(128, 192, 256));  // the whole block: 128 KiB of sums
  EXPECT_EQ(tile_of(256, 512), Tile(256, 128, 256));  // not 128 x 512, which reads 768 for each k
  EXPECT_EQ(tile_of(272, 544), Tile(272, 128, 182));  // three equal parts
  EXPECT_EQ(tile_of(1000, 1000), Tile(250, 128, 250));
  EXPECT_EQ(tile_of(100000, 8), Tile(7693, 64, 8));
  EXPECT_EQ(tile_of(8, 100000), Tile(8, 64, 7693));
  EXPECT_EQ(tile_of(256, 512, DataType::F16, 1024), Tile(16, 2560, 16));
  EXPECT_EQ(tile_of(256, 512, DataType::F32), Tile(256, 64, 256));
  EXPECT_EQ(tile_of(256, 512, DataType::I8), Tile(256, 320, 256));
  // A streamed tile of i4 has an even number of columns: not half of 131070.
  EXPECT_EQ(tile_of(1, 131070, DataType::I8), Tile(1, 64, 65535));
  EXPECT_EQ(tile_of(1, 131070, DataType::I4), Tile(1, 64, 65534));
  EXPECT_EQ(tile_of(1, 1), Tile(1, 40960, 1));
  EXPECT_EQ(tile_of(0, 5), Tile(1, 13632, 5));
}

TEST(GemmMapping, IsTheOneInWhichAPeReadsLeast) {
  EXPECT_EQ(best_mapping({4096, 4096, 4096}, 16, 8), GemmMapping::Blocks);
  EXPECT_EQ(best_mapping({1, 4096, 4096}, 16, 8), GemmMapping::Columns);
  EXPECT_EQ(best_mapping({4096, 4096, 1}, 16, 8), GemmMapping::Rows);
  // Blocks read 16 + 512 elements for each k, columns 256 + 32.
  EXPECT_EQ(best_mapping({256, 64, 4096}, 16, 8), GemmMapping::Columns);
  // Blocks read 32 + 512, columns 512 + 32: a tie.
  EXPECT_EQ(best_mapping({512, 64, 4096}, 16, 8), GemmMapping::Blocks);
  EXPECT_EQ(best_mapping({64, 64, 64}, 1, 1), GemmMapping::Blocks);
}

TEST(GemmMapping, PesBeginAtDifferentPartsOfK) {
  std::vector<std::uint64_t> begins;
  for (std::uint64_t cube = 0; cube < 4; ++cube) {
    for (std::uint64_t pe = 0; pe < 2; ++pe) begins.push_back(first_k_tile(16, {pe, cube, 2, 4}));
  }
  EXPECT_EQ(begins, (std::vector<std::uint64_t>{0, 8, 4, 12, 8, 0, 12, 4}));
  EXPECT_EQ(first_k_tile(1, {7, 15, 8, 16}), 0U);
}

/// Returns the share of the engines' peak that a product of f16 reaches on one SIP, in percent.
double share(std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  topology::TopologySpec spec;
  spec.system.sips = 1;
  const GemmSweep sweep = run_gemm_sweep(
      topology::compile_topology(spec),
      {{"one", m, k, n, Staging::Streamed, Staging::Streamed, SweepMapping::Auto}}, 1);
  return 100.0 * sweep.roofline.utilization(sweep.points.at(0));
}

TEST(GemmMapping, ReachesAGoodShareOfThePeak) {
  EXPECT_GT(share(2048, 2048, 2048), 55.0);
  EXPECT_GT(share(3001, 3001, 3001), 60.0);
}

// Two cubes of four PEs: each PE reads 32 rows of A and 48 columns of B, and writes its part of C.
TEST(GemmMapping, ReadsEachElementOncePerBlock) {
  topology::TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.cube_mesh_w = 2;
  spec.sip.cube_mesh_h = 1;
  spec.cube.pe_per_corner = 1;
  spec.cube.memory_map.slices_per_cube = 4;
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  RunOptions options;
  options.parameters = {{"m", "64"}, {"k", "72"}, {"n", "192"}, {"c", "blocks"}};
  const RunResult result = run_bench(find_bench("gemm"), graph, options);
  const LaunchFigures figures =
      launch_figures(result.launches, result.recorder->log(), graph).front();
  EXPECT_EQ(figures.read.bytes, 2U * 8 * 72 * (32 + 48));
  EXPECT_EQ(figures.written.bytes, 2U * 64 * 192);
}

}  // namespace
}  // namespace kernbench::model::bench

// SPDX-License-Identifier: Apache-2.0
// The time of a matrix product follows its size: no artefact of the memory stands out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/bench/runner.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using topology::HbmInterleave;

/// A product on one cube, all operands in the own slice of each PE.
struct Product {
  HbmInterleave interleave = HbmInterleave::Hash;
  std::uint32_t channels = 8;
  bool resident = false;
  std::uint64_t m = 128;
  std::uint64_t k = 128;
  std::uint64_t n = 512;

  [[nodiscard]] double us() const {
    topology::TopologySpec spec;
    spec.system.sips = 1;
    spec.sip.cube_mesh_w = 1;
    spec.sip.cube_mesh_h = 1;
    spec.cube.memory_map.hbm_interleave = interleave;
    spec.cube.memory_map.channels_per_slice = channels;
    const std::string stage = resident ? "resident" : "streamed";
    RunOptions options;
    options.parameters = {{"m", std::to_string(m)}, {"k", std::to_string(k)},
                          {"n", std::to_string(n)}, {"a", "row"},
                          {"b", "everywhere"},      {"c", "row"},
                          {"stage_a", stage},       {"stage_b", stage},
                          {"tile_m", "128"},        {"tile_k", "64"},
                          {"tile_n", "128"},        {"tiles_in_flight", "2"},
                          {"rotate", "no"}};
    const RunResult result =
        run_bench(find_bench("gemm"), topology::compile_topology(spec), options);
    const runtime::LaunchRecord& launch = result.launches.at(0);
    return (launch.end - launch.start).ns() / 1000.0;
  }
  /// Returns the tiles of each PE: 8 PEs share the rows.
  [[nodiscard]] std::uint64_t tiles() const {
    const auto parts = [](std::uint64_t whole, std::uint64_t part) {
      return (whole + part - 1) / part;
    };
    return parts(parts(m, 8), 128) * parts(k, 64) * parts(n, 128);
  }
};

/// Returns the steps of more than 1.3 times what the number of tiles explains, up or down.
std::string steps(Product product, std::uint64_t Product::*size, std::uint64_t last,
                  std::uint64_t by) {
  std::string found;
  for (; product.*size < last; product.*size += by) {
    Product next = product;
    next.*size += by;
    const double step = next.us() / product.us() * static_cast<double>(product.tiles()) /
                        static_cast<double>(next.tiles());
    if (std::max(step, 1.0 / step) <= 1.3) continue;
    found += fmt::format("{} x {} x {}: {:.2f}\n", next.m, next.k, next.n, step);
  }
  return found;
}

TEST(GemmTimes, FollowTheNumberOfTilesFromTileToTile) {
  for (const bool resident : {false, true}) {
    Product product;
    product.resident = resident;
    product.n = 256;
    EXPECT_EQ(steps(product, &Product::n, 1152, 64), "");
    product.n = 512;
    EXPECT_EQ(steps(product, &Product::k, 512, 64), "");
    EXPECT_EQ(steps(product, &Product::m, 512, 128), "");
  }
}

TEST(GemmTimes, StandOutAtMultiplesOfAllChannelsWhenTheseAreUsedInTurn) {
  Product product;
  product.interleave = HbmInterleave::Modulo;
  product.n = 896;
  EXPECT_EQ(steps(product, &Product::n, 1152, 64),
            "128 x 128 x 1024: 4.40\n128 x 128 x 1088: 0.23\n");
}

TEST(GemmTimes, HardlyRiseWithTheNumberOfChannelsOfTheSameBandwidth) {
  for (const std::uint64_t n : {1024U, 1088U}) {
    for (const bool resident : {false, true}) {
      Product product;
      product.resident = resident;
      product.k = 1024;
      product.n = n;
      product.channels = 1;
      const double with_one = product.us();
      double fewer = with_one;
      for (product.channels = 2; product.channels <= 16; product.channels *= 2) {
        const double us = product.us();
        EXPECT_LE(us, 1.35 * fewer) << product.channels << " channels, n = " << n;
        if (resident) {
          EXPECT_LE(us, 1.25 * with_one) << product.channels << " channels, n = " << n;
        }
        fewer = us;
      }
    }
  }
}

}  // namespace
}  // namespace kernbench::model::bench

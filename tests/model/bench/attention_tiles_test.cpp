// SPDX-License-Identifier: Apache-2.0
// Tests how the tiles of an attention are spread over PEs, and what the kernels make of it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "model/bench/attention_tiles.hpp"
#include "model/bench/runner.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using ::testing::ElementsAre;
using Segment = AttentionSegment;

struct Shape {
  std::uint64_t queries;
  std::uint64_t keys;
  std::uint64_t block_q;
  std::uint64_t block_k;
  bool causal;
};

TEST(AttentionTiles, OfACausalAttentionAreThoseThatSomeQuerySees) {
  const AttentionTiles full(8192, 8192, 64, 128, false);
  EXPECT_EQ(full.blocks(), 128U);
  EXPECT_EQ(full.tiles(), 8192U);
  const AttentionTiles causal(8192, 8192, 64, 128, true);
  EXPECT_EQ(causal.tiles(), 4160U);
  EXPECT_EQ(causal.tiles_of(0), 1U);
  EXPECT_EQ(causal.tiles_of(127), 64U);
  EXPECT_EQ(causal.keys_of(2), 192U);
  const AttentionTiles ragged(100, 70, 32, 16, true);
  EXPECT_EQ(ragged.rows_of(3), 4U);
  EXPECT_EQ(ragged.keys_of(3), 70U);
  EXPECT_EQ(ragged.tiles(), 2U + 4 + 5 + 5);
}

// The longest block first, then the shortest.
TEST(AttentionTiles, OfACausalAttentionAlternateBetweenLongAndShortBlocks) {
  const AttentionTiles tiles(8192, 8192, 64, 128, true);
  EXPECT_THAT(tiles.segments(0, 128), ElementsAre(Segment{127, 0, 33}));
  EXPECT_THAT(tiles.segments(1, 128), ElementsAre(Segment{127, 33, 31}, Segment{0, 0, 1}));
  EXPECT_THAT(tiles.segments(127, 128), ElementsAre(Segment{63, 0, 32}));
}

TEST(AttentionTiles, AreComputedOnceWithAtMostOneMoreThanTheMean) {
  for (const Shape& s :
       {Shape{8192, 8192, 64, 128, true}, Shape{8192, 8192, 64, 128, false},
        Shape{8000, 8000, 64, 128, true}, Shape{1, 5000, 64, 39, false},
        Shape{777, 4321, 48, 56, true}, Shape{37, 41, 2, 8, true}, Shape{3, 1, 64, 1, false}}) {
    const AttentionTiles tiles(s.queries, s.keys, s.block_q, s.block_k, s.causal);
    for (const std::uint64_t programs : {1U, 7U, 128U}) {
      SCOPED_TRACE(fmt::format("{} queries, {} programs", s.queries, programs));
      std::map<std::uint64_t, std::uint64_t> next;  // first tile of a block that is not computed
      std::map<std::uint64_t, SplitBlock> split;
      std::uint64_t most = 0;
      for (std::uint64_t program = 0; program < programs; ++program) {
        std::uint64_t mine = 0;
        std::uint64_t shared = 0;
        for (const Segment& segment : tiles.segments(program, programs)) {
          EXPECT_EQ(segment.first_key, next[segment.block]);
          next[segment.block] += segment.tiles;
          mine += segment.tiles;
          if (segment.tiles == tiles.tiles_of(segment.block)) continue;
          ++shared;
          split.try_emplace(segment.block, SplitBlock{segment.block, program, 0});
          ++split[segment.block].programs;
        }
        EXPECT_LE(shared, 2U);
        most = std::max(most, mine);
      }
      EXPECT_EQ(most, (tiles.tiles() + programs - 1) / programs);  // at most one over the mean
      EXPECT_EQ(next.size(), tiles.blocks());
      for (const auto& [block, tile] : next) EXPECT_EQ(tile, tiles.tiles_of(block));
      const std::vector<SplitBlock> found = tiles.split_blocks(programs);
      EXPECT_EQ(found.size(), split.size());
      for (const SplitBlock& one : found) EXPECT_EQ(one, split.at(one.block));
    }
  }
}

const topology::TopologyGraph& one_sip() {
  static const topology::TopologyGraph graph = [] {
    topology::TopologySpec spec;
    spec.system.sips = 1;
    return topology::compile_topology(spec);
  }();
  return graph;
}

/// Returns the time of the measured region of a bench on one SIP, in us.
double us(const char* bench, const std::map<std::string, std::string>& parameters) {
  RunOptions options;
  options.parameters = parameters;
  return run_bench(find_bench(bench), one_sip(), options).regions.at(0).time().ns() / 1000.0;
}

TEST(EvenWork, OfACausalAttentionFollowsTheTiles) {
  const auto of = [](const char* causal) {
    return us("attention",
              {{"queries", "8192"}, {"keys", "8192"}, {"size", "128"}, {"causal", causal}});
  };
  // The merge of shared blocks, and half a tile more than the mean, are what is above.
  const double ratio = of("yes") / of("no");
  EXPECT_GT(ratio, 4160.0 / 8192.0);
  EXPECT_LT(ratio, 1.08 * 4160.0 / 8192.0);
}

TEST(EvenWork, OfFewQueriesIsDoneByAllPes) {
  const char* const queries[] = {"1", "64", "512"};
  for (const char* const count : queries) {
    std::map<std::string, std::string> shared = {{"queries", count}, {"keys", "8192"}};
    std::map<std::string, std::string> own = shared;
    own["split"] = "no";
    EXPECT_LT(us("attention", shared), us("attention", own) / 2) << count;
  }
}

TEST(EvenWork, OfOneLongRowIsDoneByAllPes) {
  for (const char* const bench : {"softmax", "layernorm"}) {
    const std::map<std::string, std::string> shared = {{"rows", "1"}, {"columns", "500000"}};
    std::map<std::string, std::string> own = shared;
    own["split"] = "no";
    EXPECT_LT(us(bench, shared), us(bench, own) / 20) << bench;
  }
}

/// The limit of a product with a vector: all slices read their part of the matrix.
TEST(EvenWork, OfAProductWithAVectorReachesHalfOfTheHbm) {
  for (const char* const columns : {"4096", "8192", "11008"}) {
    const double limit = 2.0 * 4096 * std::stod(columns) / 16384e3;
    EXPECT_LT(us("gemm", {{"m", "1"}, {"k", "4096"}, {"n", columns}}), 2 * limit) << columns;
    EXPECT_LT(us("gemm", {{"m", columns}, {"k", "4096"}, {"n", "1"}}), 2 * limit) << columns;
  }
}

}  // namespace
}  // namespace kernbench::model::bench

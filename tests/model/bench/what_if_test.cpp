// SPDX-License-Identifier: Apache-2.0
// Times of benches on changed systems, and which numbers of a system matter for them.
#include "model/bench/what_if.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/model/bench/what_if_changes.hpp"
#include "topology/graph/compile.hpp"
#include "topology/routing/series.hpp"
#include "topology/spec/spec_change.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using common::SimTime;
using ::testing::ElementsAre;

constexpr SpreadChoice kThree{3, 1};

topology::TopologySpec small() {
  topology::TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.cube_mesh_w = 2;
  spec.sip.cube_mesh_h = 1;
  return spec;
}

/// A bench on a small system.
class WhatIfTest : public ::testing::Test {
 protected:
  WhatIfTest() : graph_(topology::compile_topology(small())) {
    options_.parameters = {{"m", "128"}, {"k", "128"}, {"n", "128"}};
    const MappedRun run = run_mapped(gemm_, graph_, options_, 2);
    mapping_ = run.mapping->chosen.name;
    spread_ = measure_spread(gemm_, graph_, run.options, run.result, kThree, 2).value();
  }
  [[nodiscard]] WhatIf what_if() const { return {gemm_, graph_, options_, spread_, kThree}; }

  const Bench& gemm_ = find_bench("gemm");
  topology::TopologyGraph graph_;
  RunOptions options_;
  std::string mapping_;
  Spread spread_;
};

TEST_F(WhatIfTest, IsTheRunOfTheChangedSystem) {
  const Change change = what_if().simulate("pe.clock_ghz/4", 2);
  topology::TopologySpec slow = small();
  slow.pe.clock_ghz = 0.25;
  const topology::TopologyGraph graph = topology::compile_topology(slow);
  const MappedRun run = run_mapped(gemm_, graph, options_, 1);
  const Spread spread = measure_spread(gemm_, graph, run.options, run.result, kThree, 1).value();
  EXPECT_EQ(change.mapping, run.mapping->chosen.name);
  ASSERT_EQ(change.regions.size(), 1U);
  EXPECT_EQ(change.regions[0].before, spread_.bands[0]);
  EXPECT_EQ(change.regions[0].after, spread.bands[0]);
  EXPECT_EQ(change.whole.after.undisturbed, span_of(run.result));
  EXPECT_TRUE(change.whole.is_difference());
  EXPECT_GT(change.whole.percent(), 10.0);
}

TEST_F(WhatIfTest, MakesNoDifferenceWhereNothingOfTheSystemIsUsed) {
  const Change change = what_if().simulate("sip.maze.clock_ns*2", 1);
  EXPECT_EQ(change.mapping, mapping_);
  EXPECT_EQ(change.whole.before, change.whole.after);
  EXPECT_FALSE(change.whole.is_difference());
  EXPECT_EQ(change.whole.percent(), 0.0);
}

TEST_F(WhatIfTest, NamesTheChangeOfARunThatFails) {
  options_.time_limit = SimTime::from_ns(20'000);
  EXPECT_THAT([&] { (void)what_if().simulate("system.switch.attrs.overhead_ns*1000", 1); },
              ::testing::Throws<TimeLimitReached>(::testing::Property(
                  &std::exception::what,
                  ::testing::StartsWith("what if system.switch.attrs.overhead_ns*1000: simulated "
                                        "time reached 20.000 us"))));
}

TEST(WhatIfEquals, AddsThePartsThatAreAsFastInSeries) {
  const topology::TopologyGraph graph = topology::compile_topology(topology::TopologySpec());
  EXPECT_THAT(with_equals_in_series(graph, "cube.links.ucie_conn.bw_gbs*2"),
              ElementsAre("cube.links.ucie_conn.bw_gbs*2,cube.memory_map.hbm_total_bw_gbs*2,"
                          "cube.links.ucie_internal.bw_gbs*2",
                          "cube.links.ucie_conn.bw_gbs*2,cube.links.ucie_internal.bw_gbs*2"));
  EXPECT_THAT(with_equals_in_series(graph, "cube.links.ucie_conn.bw_gbs/2"), ElementsAre());
  EXPECT_THAT(with_equals_in_series(graph, "pe.clock_ghz*2"), ElementsAre());
  EXPECT_THAT(with_equals_in_series(graph,
                                    "cube.links.ucie_conn.bw_gbs*4,cube.links.ucie_internal.bw_gbs"
                                    "*4,cube.memory_map.hbm_total_bw_gbs*4"),
              ElementsAre());
}

TEST_F(WhatIfTest, TornadoHasEveryNumberAndGroupOnce) {
  const std::vector<TornadoRow> rows = run_tornado(what_if(), graph_, 2);
  std::map<std::vector<std::string>, const TornadoRow*> by_keys;
  for (const TornadoRow& row : rows) by_keys[row.keys] = &row;
  EXPECT_EQ(by_keys.size(), rows.size());
  EXPECT_EQ(rows.size(), topology::sized_numbers(small()).size() +
                             topology::equally_fast_in_series(graph_).size());
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(),
                             [](const auto& a, const auto& b) { return a.reach() > b.reach(); }));

  const TornadoRow& clock = *by_keys.at({"pe.clock_ghz"});
  EXPECT_EQ(clock.value, 1.0);
  EXPECT_EQ(clock.half->changes, "pe.clock_ghz/2");
  EXPECT_EQ(clock.twice->changes, "pe.clock_ghz*2");
  EXPECT_EQ(clock.twice->whole.after, what_if().simulate("pe.clock_ghz*2", 1).whole.after);
  EXPECT_TRUE(clock.is_difference());
  EXPECT_GT(clock.reach(), 0.0);

  const TornadoRow& maze = *by_keys.at({"sip.maze.clock_ns"});
  EXPECT_TRUE(maze.is_without_effect());
  EXPECT_EQ(maze.reach(), 0.0);
}

TEST_F(WhatIfTest, TornadoSaysWhatItLeavesOut) {
  std::map<std::string, TornadoRow> by_key;
  for (const TornadoRow& row : run_tornado(what_if(), graph_, 2)) by_key[row.keys.front()] = row;
  const TornadoRow& zero = by_key.at("pe.links.pe_internal.distance_mm");
  EXPECT_EQ(zero.no_half, "it is 0");
  EXPECT_EQ(zero.no_twice, "it is 0");
  EXPECT_EQ(zero.reach(), -1.0);
  EXPECT_EQ(by_key.at("cube.placement.sram.pos_mm").no_twice, "it is not a single number");
  const TornadoRow& sram = by_key.at("cube.memory_map.sram_mb");
  EXPECT_EQ(sram.no_half, "");
  EXPECT_EQ(sram.no_twice, "'cube.memory_map.sram_mb*2' makes 32 of 16, which must be 1 to 16");
  EXPECT_TRUE(sram.half);
  EXPECT_FALSE(sram.twice);
  EXPECT_THAT(by_key.at("cube.geometry.cube_mm.w").no_half,
              ::testing::StartsWith("2 PEs per corner do not fit"));
}

// All 40 in tests/model/slow/what_if_test.cpp.
TEST(WhatIfChanges, AreAnsweredWithinThreePercentOrTheBandInThree) {
  for (const std::size_t i : {9U, 16U, 39U}) {
    const AnswerError error = error_of_answer(asked_changes()[i], 2);
    EXPECT_LE(error.percent, std::max(3.0, error.band_percent)) << error.text;
  }
}

}  // namespace
}  // namespace kernbench::model::bench

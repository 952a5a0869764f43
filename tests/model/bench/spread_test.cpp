// SPDX-License-Identifier: Apache-2.0
// Times of benches whose programs start later by draws of their own.
#include "model/bench/spread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using common::SimTime;

const topology::TopologyGraph& graph() {
  static const topology::TopologyGraph kGraph = [] {
    topology::TopologySpec spec;
    spec.system.sips = 1;
    spec.sip.cube_mesh_w = spec.sip.cube_mesh_h = 2;
    return topology::compile_topology(spec);
  }();
  return kGraph;
}

RunOptions gemm() {
  RunOptions options;
  options.parameters = {{"m", "256"}, {"k", "256"}, {"n", "256"}};
  return options;
}

bool equal(const Spread& a, const Spread& b) {
  return std::equal(a.bands.begin(), a.bands.end(), b.bands.begin(), b.bands.end(),
                    [](const TimeBand& one, const TimeBand& other) {
                      return one.least == other.least && one.median == other.median &&
                             one.most == other.most;
                    });
}

TEST(Spread, IsThatOfTheDrawnDelaysForAnyNumberOfThreads) {
  const RunResult undisturbed = run_bench(find_bench("gemm"), graph(), gemm());
  const auto spread = [&](std::uint64_t seed, unsigned jobs) {
    return measure_spread(find_bench("gemm"), graph(), gemm(), undisturbed, {5, seed}, jobs)
        .value();
  };
  const Spread one = spread(1, 1);
  EXPECT_TRUE(equal(one, spread(1, 2)));
  EXPECT_FALSE(equal(one, spread(7, 2)));
  ASSERT_EQ(one.bands.size(), 1U);
  const TimeBand& band = one.bands[0];
  EXPECT_EQ(band.name, "gemm");
  EXPECT_EQ(band.undisturbed, undisturbed.regions[0].time());
  EXPECT_LT(band.least, band.most);  // the order of starts does change this time
  EXPECT_GE(band.median, band.least);
  EXPECT_LE(band.median, band.most);
}

TEST(Spread, DelaysEachProgramWithinTheStartsOfItsLaunch) {
  const RunResult undisturbed = run_bench(find_bench("gemm"), graph(), gemm());
  ASSERT_EQ(undisturbed.starts.size(), 1U);
  const auto& [key, range] = *undisturbed.starts.begin();
  EXPECT_GT(range.width(), runtime::StartDelays::kLeast);
  RunOptions options = gemm();
  options.delays = {3, undisturbed.starts};
  const RunResult delayed = run_bench(find_bench("gemm"), graph(), options);
  EXPECT_EQ(options.delays->most(key), range.width());
  const runtime::StartRange& later = delayed.starts.at(key);
  EXPECT_GE(later.first, range.first);
  EXPECT_LE(later.last, range.last + range.width());
  std::set<std::int64_t> delays;
  for (std::uint64_t program = 0; program < 32; ++program) {
    const SimTime delay = options.delays->of(key, program);
    EXPECT_LE(delay, range.width());
    delays.insert(delay.ps());
  }
  EXPECT_GT(delays.size(), 16U);
}

TEST(Spread, OfALaunchOfOneProgramIsTwentyNanoseconds) {
  topology::TopologySpec spec;
  spec.system.sips = spec.sip.cube_mesh_w = spec.sip.cube_mesh_h = 1;
  spec.cube.corners = {topology::Corner::SE};
  spec.cube.pe_per_corner = 1;
  spec.cube.memory_map.slices_per_cube = 1;
  const topology::TopologyGraph one = topology::compile_topology(spec);
  const RunResult undisturbed = run_bench(find_bench("vector-add"), one, {});
  EXPECT_FALSE(measure_spread(find_bench("vector-add"), one, {}, undisturbed, {}, 2));
  const Spread spread =
      measure_spread(find_bench("vector-add"), one, {}, undisturbed, {9, 1}, 2).value();
  EXPECT_EQ(spread.least_delay, SimTime::from_ps(20'000));
  EXPECT_EQ(spread.most_delay, SimTime::from_ps(20'000));
  for (const TimeBand& band : spread.bands) {
    EXPECT_GE(band.least, band.undisturbed);
    EXPECT_LE(band.most, band.undisturbed + SimTime::from_ps(20'000));
  }
}

}  // namespace
}  // namespace kernbench::model::bench

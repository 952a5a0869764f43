// SPDX-License-Identifier: Apache-2.0
#include "sim/stimulus/link_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <vector>

#include "shapes.hpp"
#include "sim/stimulus/log_uniform.hpp"

namespace kernbench::sim {
namespace {

using common::Rng;
using maze::Shape;

/// The lengths of the complete runs of one link, in order.
struct Lengths {
  std::vector<std::uint32_t> active, passive;
};

std::vector<Lengths> observed(LinkRuns& runs, const Shape& shape, std::uint64_t cycles) {
  std::vector<Lengths> lengths(shape.links());
  std::vector<std::uint32_t> run(shape.links());
  maze::BitPlane before(shape);
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    const maze::BitPlane& now = runs.step();
    for (unsigned link = 0; link < shape.links(); ++link) {
      const unsigned port = link / shape.nodes();
      const unsigned node = link % shape.nodes();
      if (cycle != 0 && now.test(port, node) != before.test(port, node)) {
        (before.test(port, node) ? lengths[link].active : lengths[link].passive)
            .push_back(run[link]);
        run[link] = 0;
      }
      ++run[link];
    }
    before = now;
  }
  return lengths;
}

TEST(LogUniform, ReachesBothEndsAndEveryOctaveEquallyOften) {
  Rng rng(1);
  std::vector<unsigned> octaves(15);
  std::set<std::uint32_t> small;
  for (unsigned i = 0; i < 15'000; ++i) {
    const std::uint32_t n = log_uniform(rng, 20'000);
    ASSERT_GE(n, 1U);
    ASSERT_LE(n, 20'000U);
    ++octaves[static_cast<std::size_t>(std::bit_width(n)) - 1];
    if (n < 8) small.insert(n);
  }
  EXPECT_EQ(small.size(), 7U);
  for (const unsigned count : octaves) EXPECT_NEAR(count, 1000.0, 120.0);
  EXPECT_EQ(log_uniform(rng, 1), 1U);
}

TEST(SweptLengths, AreAllUpTo256ThenPowersOfTwoAndTheLongest) {
  const std::vector<std::uint32_t> lengths = swept_lengths(20'000);
  ASSERT_EQ(lengths.size(), 263U);
  for (std::uint32_t i = 0; i < 256; ++i) EXPECT_EQ(lengths[i], i + 1);
  EXPECT_EQ(std::vector<std::uint32_t>(lengths.begin() + 256, lengths.end()),
            (std::vector<std::uint32_t>{512, 1024, 2048, 4096, 8192, 16384, 20'000}));
  EXPECT_EQ(swept_lengths(16'384).size(), 262U);
  EXPECT_EQ(swept_lengths(3), (std::vector<std::uint32_t>{1, 2, 3}));
}

TEST(LinkRuns, ASweepGivesEveryLinkEachLengthOnceAndAgain) {
  LinkRuns runs(k4x3, RunLengths::Sweep, 300, Rng(1));
  const std::vector<std::uint32_t> once = swept_lengths(300);
  const std::uint64_t cycles =
      2 * (std::accumulate(once.begin(), once.end(), std::uint64_t{0}) + once.size() * 96 + 32);
  const std::vector<Lengths> lengths = observed(runs, k4x3, cycles);
  for (const Lengths& link : lengths) {
    ASSERT_GE(link.passive.size(), once.size());
    std::vector<std::uint32_t> first(link.passive.begin(),
                                     link.passive.begin() + static_cast<long>(once.size()));
    std::sort(first.begin(), first.end());
    EXPECT_EQ(first, once);
    EXPECT_GT(link.active.front(), 32U);  // a packet waits from the first stall on
    EXPECT_LE(*std::max_element(link.active.begin() + 1, link.active.end()), kSweepActive);
  }
  EXPECT_NE(lengths[0].passive, lengths[1].passive);
}

TEST(LinkRuns, HeavyTailedOnesHaveShortAndLongRunsOfBothKinds) {
  LinkRuns runs(k4x3, RunLengths::HeavyTailed, 500, Rng(1));
  std::set<int> active;
  std::set<int> passive;
  for (const Lengths& link : observed(runs, k4x3, 20'000)) {
    for (const std::uint32_t n : link.active) active.insert(static_cast<int>(std::bit_width(n)));
    for (const std::uint32_t n : link.passive) passive.insert(static_cast<int>(std::bit_width(n)));
    EXPECT_LE(*std::max_element(link.passive.begin(), link.passive.end()), 500U);
  }
  const std::set<int> octaves = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(active, octaves);
  EXPECT_EQ(passive, octaves);
}

TEST(LinkRuns, DependOnTheirRandomStreamAlone) {
  for (const RunLengths lengths : {RunLengths::HeavyTailed, RunLengths::Sweep}) {
    LinkRuns one(k4x3, lengths, 100, Rng(1));
    LinkRuns same(k4x3, lengths, 100, Rng(1));
    LinkRuns other(k4x3, lengths, 100, Rng(2));
    bool differs = false;
    for (unsigned cycle = 0; cycle < 1000; ++cycle) {
      const maze::BitPlane& plane = one.step();
      ASSERT_EQ(plane, same.step());
      differs = differs || !(plane == other.step());
    }
    EXPECT_TRUE(differs);
  }
}

}  // namespace
}  // namespace kernbench::sim

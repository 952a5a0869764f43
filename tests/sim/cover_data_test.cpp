// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

#include "sim/cover/coverage_file.hpp"
#include "sim/cover/coverage_report.hpp"
#include "tests/sim/cover_bench.hpp"

namespace kernbench::sim {
namespace {

using maze::Shape;
using testing::Contains;
using topology::MazeLinks;

CoverageData empty(const Shape& shape, std::uint64_t at_least) {
  return {shape, MazeLinks(shape.nx, shape.ny), at_least};
}

TEST(CoverageTotals, OfTheSignOffConfigurationAreExact) {
  const CoverageData data = empty({8, 8, 8}, 10'000);
  const CoverageSummary summary = data.summary();
  std::vector<std::pair<std::string, std::uint64_t>> totals;
  for (const CoverageGroup& group : summary.groups) totals.emplace_back(group.name, group.total);
  using P = std::pair<std::string, std::uint64_t>;
  EXPECT_THAT(
      totals,
      testing::ElementsAre(
          P{"fabric", 2}, P{"delivered", 896}, P{"stalled", 896}, P{"back_to_back", 896},
          P{"qos_low", 896}, P{"qos_high", 896}, P{"type_unicast", 896}, P{"type_x_multicast", 896},
          P{"type_y_multicast", 896}, P{"type_broadcast", 896}, P{"filled", 640}, P{"drained", 640},
          P{"reset_while_holding", 640}, P{"payload_rises", 896 * 23}, P{"payload_falls", 896 * 23},
          P{"stage, 0 entries, neither", 1152}, P{"stage, 0 entries, push", 1152},
          P{"stage, 1 entry, neither", 1152}, P{"stage, 1 entry, push", 1152},
          P{"stage, 1 entry, pop", 1152}, P{"stage, 1 entry, both", 1152},
          P{"stage, 2 entries, neither", 1152}, P{"stage, 2 entries, pop", 1152},
          P{"packets, back-pressure none", 896}, P{"packets, back-pressure random", 896},
          P{"packets, back-pressure periodic", 896}, P{"packets, back-pressure long_stalls", 896},
          P{"packets, back-pressure all_stalled", 896},
          P{"packets, back-pressure heavy_tailed", 896},
          P{"packets, back-pressure length_sweep", 896}));
  EXPECT_EQ(data.total_bins(), 66'690U);
  EXPECT_EQ(summary.total(), 66'690U);
  EXPECT_EQ(data.missed().size(), 66'690U);
}

TEST(CoverageTotals, WithoutAGoalThereAreNoBinsThatCount) {
  EXPECT_EQ(empty({8, 8, 8}, 0).total_bins(), 66'690U - 7 * 896);
}

TEST(CoverageTotals, FollowTheShape) {
  // 6x2: 12 nodes, 6 ports, 72 links; 36 with stages, 48 stages; payload 3 + 12 + 4 bits.
  EXPECT_EQ(empty({6, 2, 4}, 1).total_bins(), 2U + 9 * 72 + 3 * 36 + 2 * 19 * 72 + 8 * 48 + 7 * 72);
}

TEST(CoverageNames, NameTheLinkTheStageAndTheBin) {
  const std::vector<std::string> missed = empty({8, 8, 8}, 10'000).missed();
  EXPECT_THAT(missed, Contains("all_links_active"));
  EXPECT_THAT(missed, Contains("reset_under_traffic"));
  EXPECT_THAT(missed, Contains("[3,4].x[6] -> [3,3].x[6]: never delivered"));
  EXPECT_THAT(missed, Contains("[3,4].x[6] -> [3,3].x[6]: payload bit 7 never fell"));
  EXPECT_THAT(missed, Contains("[0,0].y[3] -> [4,0].y[3]: stage 2: 2 entries, pop"));
  EXPECT_THAT(missed,
              Contains("[7,7].y[0] -> [0,7].y[0]: 0 of 10000 packets under back-pressure random"));
}

/// Runs a few packets over one link. Different links and classes hit different bins.
CoverageData run_over(unsigned port, BackPressure kind) {
  CoverBench bench({6, 2, 4}, 2, kind);
  bench.send(bench.links.leaving(0, port), 0x3);
  bench.send(bench.links.leaving(0, port), 0x5);
  bench.cycle(true);
  return bench.coverage.data();
}

TEST(CoverageMerge, IsTheSameInBothOrders) {
  CoverageData ab = run_over(0, BackPressure::None);
  ab.merge(run_over(2, BackPressure::Random));
  CoverageData ba = run_over(2, BackPressure::Random);
  ba.merge(run_over(0, BackPressure::None));
  EXPECT_EQ(coverage_json(ab), coverage_json(ba));
}

TEST(CoverageMerge, HitsWhatEitherHitAndAddsPackets) {
  const CoverageData a = run_over(0, BackPressure::None);
  const CoverageData b = run_over(2, BackPressure::None);
  CoverageData merged = a;
  merged.merge(b);
  // The only bins that both hit are "0 entries, neither" of all 48 stages.
  EXPECT_EQ(merged.hit_bins(), a.hit_bins() + b.hit_bins() - 48);

  CoverageData twice = a;
  twice.merge(a);
  EXPECT_EQ(twice.hit_bins(), a.hit_bins());
  const auto sum = [](const std::vector<std::uint64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  };
  EXPECT_EQ(sum(a.packets(BackPressure::None)), 2U);
  EXPECT_EQ(sum(twice.packets(BackPressure::None)), 4U);
}

TEST(CoverageMerge, ReachesAGoalWithThePacketsOfSeveralRuns) {
  CoverBench bench({6, 2, 4}, 2);
  bench.send(bench.links.leaving(0, 0), 0);
  CoverageData merged = bench.coverage.data();
  const auto goal = [&] { return merged.summary().groups[23]; };
  ASSERT_EQ(goal().name, "packets, back-pressure none");
  EXPECT_EQ(goal().hit, 0U);
  merged.merge(bench.coverage.data());
  EXPECT_EQ(goal().hit, 1U);
}

TEST(CoverageMerge, RefusesAnotherShapeOrAnotherGoal) {
  CoverageData data = empty({6, 2, 4}, 2);
  EXPECT_THROW(data.merge(empty({6, 2, 5}, 2)), std::invalid_argument);
  EXPECT_THROW(data.merge(empty({6, 2, 4}, 3)), std::invalid_argument);
}

TEST(CoverageReport, ShowsTheTableAndTheFirstMissedBins) {
  CoverBench bench({2, 2, 1});
  for (const auto& link : bench.links.links()) bench.offer(link, 0);
  bench.cycles(2);
  EXPECT_EQ(coverage_report(bench.coverage.data(), 3),
            R"(functional coverage of 2x2 nodes, 1 data bits

group                          hit    total   percent
fabric                           1        2    50.0 %
delivered                        8        8   100.0 %
stalled                          0        8     0.0 %
back_to_back                     8        8   100.0 %
qos_low                          8        8   100.0 %
qos_high                         0        8     0.0 %
type_unicast                     8        8   100.0 %
type_x_multicast                 0        8     0.0 %
type_y_multicast                 0        8     0.0 %
type_broadcast                   0        8     0.0 %
filled                           0        0         -
drained                          0        0         -
reset_while_holding              0        0         -
payload_rises                    0      128     0.0 %
payload_falls                    0      128     0.0 %
stage, 0 entries, neither        0        0         -
stage, 0 entries, push           0        0         -
stage, 1 entry, neither          0        0         -
stage, 1 entry, push             0        0         -
stage, 1 entry, pop              0        0         -
stage, 1 entry, both             0        0         -
stage, 2 entries, neither        0        0         -
stage, 2 entries, pop            0        0         -
all                             33      330    10.0 %

missed bins
  reset_under_traffic
  [0,0].x[0] -> [0,1].x[0]: never stalled
  [0,0].y[0] -> [1,0].y[0]: never stalled
  ... and 294 more
)");
}

TEST(CoverageReport, NamesEveryMissedBinWhenThereIsRoom) {
  const CoverageData data = empty({2, 2, 1}, 0);
  const std::string text = coverage_report(data, data.total_bins());
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("more")));
  EXPECT_THAT(text, testing::EndsWith("[1,1].y[0] -> [0,1].y[0]: payload bit 15 never fell\n"));
}

TEST(CoverageReport, CallsCoverageCompleteOnlyWhenNoBinIsMissed) {
  CoverageData data = empty({8, 8, 8}, 0);
  for (auto& bits : data.rises()) bits = (1U << 23) - 1;
  data.rises()[0] = 0;
  EXPECT_THAT(coverage_report(data, 0), testing::HasSubstr("payload_rises                20585"));
  EXPECT_THAT(coverage_report(data, 0), testing::HasSubstr("99.8 %"));
  EXPECT_THAT(coverage_report(data, 0), testing::Not(testing::HasSubstr("missed bins")));
}

}  // namespace
}  // namespace kernbench::sim

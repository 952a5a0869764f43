// SPDX-License-Identifier: Apache-2.0
// Sweeps all-reduce on small systems.
#include "model/bench/evaluation/collective_sweep.hpp"
#include "topology/spec/topology_spec.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernbench::model::bench {
namespace {

using ::testing::HasSubstr;

topology::TopologySpec small_system() {
  topology::TopologySpec spec;
  spec.sip.cube_mesh_w = 3;
  spec.sip.cube_mesh_h = 3;
  return spec;
}

TEST(CollectiveBound, IsWhatEachSipHasToSendOverItsEgress) {
  topology::TopologySpec spec;  // 64 GB/s from a SIP
  EXPECT_EQ(collective_bound(spec, {64000, 1, "ring", "ring", "tcm"}).ps(), 0);
  EXPECT_EQ(collective_bound(spec, {64000, 2, "ring", "ring", "tcm"}).ps(), 1'000'000);
  EXPECT_EQ(collective_bound(spec, {64000, 4, "ring", "ring", "tcm"}).ps(), 1'500'000);
  EXPECT_THROW((void)collective_bound(spec, {64000, 0, "ring", "ring", "tcm"}),
               std::invalid_argument);
}

TEST(AllReduceSweep, EveryPointIsRightAndNoneBeatsTheBoundOnAnyNumberOfThreads) {
  const std::vector<CollectiveCase> cases = {
      {4096, 1, "intercube-center", "ring", "tcm", "all_reduce", {3, 3}},
      {4096, 1, "intercube-corner", "ring", "tcm", "all_reduce", {3, 3}},
      {65536, 2, "intercube-center", "ring", "hbm", "all_reduce", {3, 3}},
      {4096, 2, "tree", "tree", "sram", "all_reduce", {3, 3}}};
  const std::vector<CollectivePoint> alone =
      sweep_collectives(small_system(), cases, "all-reduce", 1);
  const std::vector<CollectivePoint> together =
      sweep_collectives(small_system(), cases, "all-reduce", 4);
  ASSERT_EQ(alone.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_TRUE(alone[i].right()) << i;
    EXPECT_EQ(alone[i].elements, cases[i].sips * cases[i].bytes / 4) << i;
    EXPECT_EQ(alone[i].latency, together[i].latency) << i;
    EXPECT_EQ(alone[i].flit_hops, together[i].flit_hops) << i;
  }
  // Within a SIP the path to the middle cube is shorter than the path to the corner.
  EXPECT_LT(alone[0].latency, alone[1].latency);
}

TEST(CollectivePoint, IsWrongWhenItIsFasterThanTheBoundOrNothingWasCompared) {
  CollectivePoint point;
  point.latency = common::SimTime::from_ns(2);
  point.bound = common::SimTime::from_ns(1);
  EXPECT_FALSE(point.right());  // no numbers compared
  point.elements = 1;
  EXPECT_TRUE(point.right());
  point.bound = common::SimTime::from_ns(3);
  EXPECT_FALSE(point.right());
  point.bound = common::SimTime();
  point.wrong = 1;
  EXPECT_FALSE(point.right());
}

TEST(AllReducePlot, HasAPointForEachCaseInEachPanelThatItBelongsToAndNamesCurvesAndBounds) {
  std::vector<CollectivePoint> points;
  for (const CollectiveCase& which : all_reduce_cases({4, 4}, true)) {
    CollectivePoint& point = points.emplace_back();
    point.which = which;
    point.latency = common::SimTime::from_ns(static_cast<double>(which.bytes));
    if (which.sips > 1)
      point.bound = common::SimTime::from_ns(static_cast<double>(which.bytes) / 2);
  }
  const std::string svg = all_reduce_plot(points);
  for (const char* const text :
       {"1 SIP, root in the corner", "4 SIPs, root in the middle", "slots in tcm", "slots in sram",
        "slots in hbm", "intercube-center, SIPs as torus", "halving-doubling, SIPs as hypercube",
        "tree, SIPs as tree", "ring, SIPs as ring", "bound of 2 SIPs", "bound of 4 SIPs", "1024"}) {
    EXPECT_THAT(svg, HasSubstr(fmt::format(">{}</text>", text)));
  }
  std::size_t marks = 0;
  const std::string tooltip = " flit-hops</title>";
  for (std::size_t at = svg.find(tooltip); at != std::string::npos;
       at = svg.find(tooltip, at + 1)) {
    ++marks;
  }
  EXPECT_EQ(marks, 3U * (6 + 3 + 8)) << "three sizes, curves of three panels";
  EXPECT_THROW((void)all_reduce_plot({}), std::invalid_argument);
}

TEST(CollectivePoints, AreVacuousIfThereAreNone) {
  EXPECT_EQ(outcome_of({}, true), common::Outcome::Vacuous);
  EXPECT_EQ(outcome_of({CollectivePoint{}}, true), common::Outcome::Pass);
  EXPECT_EQ(outcome_of({CollectivePoint{}}, false), common::Outcome::Mismatch);
}

}  // namespace
}  // namespace kernbench::model::bench

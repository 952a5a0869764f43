// SPDX-License-Identifier: Apache-2.0
// Sweeps all-reduce on small systems.
#include "model/bench/evaluation/collective_sweep.hpp"
#include "common/description.hpp"
#include "model/bench/evaluation/collective_report.hpp"
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

/// Returns a point between 2 SIPs that takes `latency_ps` where its formula says 1000.
CollectivePoint point_of(const std::string& algorithm, std::int64_t latency_ps) {
  CollectivePoint point;
  point.which.bytes = 1024;
  point.which.sips = 2;
  point.which.algorithm = algorithm;
  point.which.slot_memory = "tcm";
  point.latency = common::SimTime::from_ps(latency_ps);
  point.predicted = common::SimTime::from_ps(1000);
  point.elements = 256;
  point.algorithm = algorithm == "auto" ? "tree" : algorithm;
  point.neighbors = "ring";
  return point;
}

/// Returns a spread of one band around a median.
Spread spread_of(std::int64_t least, std::int64_t median, std::int64_t most) {
  const auto ps = [](std::int64_t time) { return common::SimTime::from_ps(time); };
  const TimeBand band{"collective", ps(median), ps(least), ps(median), ps(most)};
  return {3, 1, ps(10), ps(20), {band}, band};
}

TEST(CollectiveEvaluation, IsVacuousWithoutPoints) {
  EXPECT_EQ(judged({}, 0).outcome(), common::Outcome::Vacuous);
  EXPECT_EQ(judged({point_of("ring", 1000)}, 1).outcome(), common::Outcome::Pass);
}

TEST(CollectiveEvaluation, NamesTheFaultOfEachPoint) {
  const auto fault = [](const std::vector<CollectivePoint>& points) {
    const CollectiveEvaluation evaluation = judged(points, points.size());
    EXPECT_EQ(evaluation.outcome() == common::Outcome::Mismatch, evaluation.faults() != 0);
    return evaluation.points.front().fault;
  };
  CollectivePoint point = point_of("ring", 1000);
  EXPECT_EQ(fault({point}), "");
  point.wrong = 1;
  EXPECT_EQ(fault({point}), "WRONG");
  point.wrong = 0;
  point.elements = 0;
  EXPECT_EQ(fault({point}), "WRONG") << "nothing was compared";
  point = point_of("ring", 1000);
  point.bound = common::SimTime::from_ps(1001);
  EXPECT_EQ(fault({point}), "BEATS ITS BOUND");
  EXPECT_EQ(fault({point_of("ring", 1200)}), "");
  EXPECT_EQ(fault({point_of("ring", 1201)}), "OFF ITS FORMULA");
  EXPECT_EQ(fault({point_of("ring", 799)}), "OFF ITS FORMULA");
  EXPECT_EQ(fault({point_of("auto", 1100), point_of("ring", 1000)}), "");
  EXPECT_EQ(fault({point_of("auto", 1101), point_of("ring", 1000)}), "SLOWER THAN ring");
}

TEST(CollectiveEvaluation, CallsAChoiceSlowerOnlyBeyondTheBand) {
  CollectivePoint chosen = point_of("auto", 1150);
  CollectivePoint best = point_of("ring", 1000);
  chosen.spread = spread_of(1100, 1150, 1200);
  best.spread = spread_of(990, 1000, 1180);
  EXPECT_EQ(judged({chosen, best}, 2).faults(), 0U) << "medians differ by less than a band";
  best.spread = spread_of(990, 1000, 1010);
  EXPECT_EQ(judged({chosen, best}, 2).points.front().fault, "SLOWER THAN ring");
}

TEST(CollectiveEvaluation, IsReadFromItsReport) {
  CollectiveEvaluation evaluation =
      judged({point_of("auto", 1201), point_of("ring", 1000), point_of("ring", 1100)}, 5);
  evaluation.points[1].point.spread = spread_of(990, 1000, 1010);
  evaluation.steps = {{"launch", 1.5, 0.0}};
  const nlohmann::json data = common::to_json(evaluation);
  EXPECT_EQ(data["not_run"], 2);
  EXPECT_EQ(data["points"][0]["fault"], "OFF ITS FORMULA");
  EXPECT_EQ(data["points"][1].count("fault"), 0U);
  EXPECT_EQ(data["deviations"],
            nlohmann::json::parse(R"([{"collective": "all_reduce", "algorithm": "ring", "points": 2,
                                       "least_percent": 0.0, "most_percent": 10.000000000000009}])"));
  EXPECT_EQ(data["fastest"][0]["name"], "ring, ring");
  EXPECT_EQ(common::to_json(common::value_of<CollectiveEvaluation>(data, "file")), data);
}

}  // namespace
}  // namespace kernbench::model::bench

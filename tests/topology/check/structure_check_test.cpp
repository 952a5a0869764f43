// SPDX-License-Identifier: Apache-2.0
// Each rule passes on compiled graphs and fails on a graph that violates it.
#include "topology/check/structure_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "topology/graph/compile.hpp"
#include "topology/graph/graph_builder.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TopologySpec maze_spec(DimensionOrder order) {
  TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.inter_cube = InterCube::Maze;
  spec.sip.maze.order = order;
  return spec;
}

/// A graph of host, switch and one router, with edges chosen by the test.
class HandMade {
 public:
  HandMade() : builder_(TopologySpec{}, CubeMesh{}) {
    for (const char* name : {"host", "switch", "router"}) {
      nodes_.push_back(builder_.add_node(name, 0, Node{}));
    }
  }
  HandMade& join(std::size_t a, std::size_t b, double bw_gbs = 1) {
    builder_.add_pair(nodes_[a], nodes_[b], EdgeKind::Pcie, {bw_gbs, 1, 0});
    return *this;
  }
  HandMade& one_way(std::size_t a, std::size_t b) {
    builder_.add_edge(nodes_[a], nodes_[b], EdgeKind::RouterToHbm, {1, 1, 0});
    return *this;
  }
  [[nodiscard]] std::vector<std::string> findings() {
    const StructureReport report = check_structure(std::move(builder_).finish({}));
    EXPECT_EQ(report.broken(), !report.findings.empty());
    std::vector<std::string> texts;
    for (const StructureFinding& finding : report.findings) {
      texts.push_back(std::string(name(finding.rule)) + ": " + finding.text);
    }
    return texts;
  }

 private:
  GraphBuilder builder_;
  std::vector<NodeId> nodes_;
};

TEST(StructureCheck, ASoundGraphHasNoFindings) {
  EXPECT_THAT(HandMade().join(0, 1).join(1, 2).findings(), IsEmpty());
}

TEST(StructureCheck, ANodeThatNothingJoinsIsUnreachableBothWays) {
  EXPECT_THAT(HandMade().join(0, 1).findings(),
              ElementsAre("reachable: no path from host to router",
                          "reachable: no path from router to host"));
}

TEST(StructureCheck, AnEdgeWithoutItsOppositeIsNamedWithTheKindThatIsMissing) {
  EXPECT_THAT(HandMade().join(0, 1).one_way(1, 2).findings(),
              ElementsAre("reachable: no path from router to host",
                          "paired-edges: the router_to_hbm edge from switch to router has no "
                          "opposite hbm_to_router edge"));
}

TEST(StructureCheck, ADataEdgeWithoutBandwidthIsNamed) {
  EXPECT_THAT(
      HandMade().join(0, 1).join(1, 2, 0).findings(),
      ElementsAre("data-bandwidth: the pcie edge from switch to router has a bandwidth of 0 GB/s",
                  "data-bandwidth: the pcie edge from router to switch has a bandwidth of 0 GB/s"));
}

TEST(StructureCheck, ManyFindingsOfARuleAreCounted) {
  GraphBuilder builder(TopologySpec{}, CubeMesh{});
  for (int i = 0; i < 20; ++i) (void)builder.add_node("node" + std::to_string(i), 0, Node{});
  const StructureReport report = check_structure(std::move(builder).finish({}));
  EXPECT_EQ(report.findings.size(), 11U);
  EXPECT_EQ(report.findings.back().text, "... and 28 more");
}

TEST(StructureCheck, TheRoutesOfTheDefaultSpecCloseNoRing) {
  const StructureReport report = check_structure(compile_topology({}));
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_TRUE(report.deadlock_free());
  EXPECT_EQ(report.routes, 128U * 256U + 256U);
}

// Each has a connection on every row and column of PEs.
TEST(StructureCheck, NoRingWhereEveryRowAndColumnOfPesHasAConnection) {
  for (const std::uint32_t connections : {4U, 5U, 6U, 7U, 8U, 16U}) {
    for (const auto& [w, h] : {std::pair(2U, 2U), std::pair(4U, 3U), std::pair(1U, 5U)}) {
      TopologySpec spec;
      spec.system.sips = 1;
      spec.sip.cube_mesh_w = w;
      spec.sip.cube_mesh_h = h;
      spec.cube.ucie_n_connections = connections;
      EXPECT_THAT(check_structure(compile_topology(spec)).findings, IsEmpty())
          << connections << " connections, " << w << " x " << h;
    }
  }
}

// PEs of the rows and columns without a connection turn before they cross.
TEST(StructureCheck, ARowOfPesWithoutAConnectionClosesARing) {
  for (const std::uint32_t connections : {1U, 2U, 3U}) {
    TopologySpec spec;
    spec.system.sips = 1;
    spec.cube.ucie_n_connections = connections;
    const StructureReport report = check_structure(compile_topology(spec));
    EXPECT_FALSE(report.broken());
    EXPECT_FALSE(report.deadlock_free());
    ASSERT_EQ(report.findings.size(), 1U);
    EXPECT_THAT(report.findings[0].text, HasSubstr("channels may wait for each other in a ring\n"));
    EXPECT_THAT(report.findings[0].text, HasSubstr("\n    and back to the first"));
  }
}

TEST(StructureCheck, AMazeOfEitherDimensionOrderHasNoRing) {
  for (const DimensionOrder order : {DimensionOrder::XY, DimensionOrder::YX}) {
    const StructureReport report = check_structure(compile_topology(maze_spec(order)));
    EXPECT_THAT(report.findings, IsEmpty());
    EXPECT_TRUE(report.deadlock_free());
    EXPECT_GT(report.dependencies, 1000U);
  }
}

TEST(StructureCheck, FollowsTheRoutesOfEveryPeOfALargeSystem) {
  TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.cube_mesh_w = 8;
  spec.sip.cube_mesh_h = 8;
  const StructureReport report = check_structure(compile_topology(spec));
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_EQ(report.routes, 512U * 512U + 512U);
}

TEST(StructureReportOutcome, WithoutARouteIsVacuous) {
  StructureReport report;
  EXPECT_EQ(report.outcome(false), common::Outcome::Vacuous);
  report.routes = 1;
  EXPECT_EQ(report.outcome(true), common::Outcome::Pass);
  report.findings.push_back({StructureRule::DeadlockFree, ""});
  EXPECT_EQ(report.outcome(false), common::Outcome::Pass);
  EXPECT_EQ(report.outcome(true), common::Outcome::Mismatch);
  report.findings.push_back({StructureRule::Reachable, ""});
  EXPECT_EQ(report.outcome(false), common::Outcome::Mismatch);
}

}  // namespace
}  // namespace kernbench::topology

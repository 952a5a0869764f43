// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/rank_replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/chakra/dependencies.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::chakra {
namespace {

using common::SimTime;
using testing::ElementsAre;

/// Notes the nodes in the order of their ends. Communication takes no time of its own: the test
/// ends it.
class Notes final : public RankReplay::Owner {
 public:
  void begin(std::uint32_t /*rank*/, std::uint32_t node) override { begun.push_back(node); }
  SimTime time_of(std::uint32_t /*rank*/, const Node& node) override {
    return SimTime::from_ps(node.duration_ps);
  }
  void note(const NodeSpan& span, SimTime /*ready*/) override { ended.push_back(span.node); }
  void note_end() override { ++ends; }

  std::vector<std::uint32_t> begun;
  std::vector<std::uint32_t> ended;
  int ends = 0;
};

/// Returns a trace of nodes of these kinds and durations, each dependent on the one before if
/// `chained`.
RankTrace nodes_of(const std::vector<std::pair<NodeKind, std::int64_t>>& list, bool chained) {
  RankTrace trace;
  trace.names = std::string(1, '\0');
  DependencyIds ids;
  for (const auto& [kind, duration] : list) {
    Node node;
    node.id = trace.nodes.size();
    node.kind = kind;
    node.duration_ps = duration;
    node.first_child = static_cast<std::uint32_t>(ids.ids.size());
    if (chained && node.id != 0) {
      ids.ids.push_back(node.id - 1);
      ids.is_control.push_back(true);
      node.dependencies = 1;
    }
    trace.nodes.push_back(node);
  }
  common::Diagnostics errors;
  link_nodes(trace, ids, "f", errors);
  errors.throw_if_any();
  return trace;
}

TEST(ChakraRankReplay, RunsALongChainWithoutRecursion) {
  constexpr std::size_t kNodes = 300'000;
  const RankTrace trace = nodes_of(
      std::vector<std::pair<NodeKind, std::int64_t>>(kNodes, {NodeKind::Metadata, -1}), true);
  engine::Simulation simulation;
  Notes notes;
  RankReplay replay(notes, 0, trace);
  replay.start(simulation);
  EXPECT_TRUE(replay.done());
  EXPECT_EQ(notes.ended.size(), kNodes);
  EXPECT_EQ(notes.ends, 1);
}

TEST(ChakraRankReplay, ReadyNodesBeginByTheirIds) {
  const RankTrace trace = nodes_of(
      {{NodeKind::Computation, 5}, {NodeKind::Computation, 1}, {NodeKind::Metadata, -1}}, false);
  engine::Simulation simulation;
  Notes notes;
  RankReplay replay(notes, 0, trace);
  replay.start(simulation);
  simulation.run();
  EXPECT_THAT(notes.ended, ElementsAre(2, 0, 1));
  EXPECT_EQ(replay.figures().computing, SimTime::from_ps(6));
  EXPECT_EQ(replay.figures().end, SimTime::from_ps(6));
}

TEST(ChakraRankReplay, CommunicationIsExposedWhileNothingIsComputed) {
  const RankTrace trace = nodes_of({{NodeKind::Collective, -1}, {NodeKind::Computation, 5}}, false);
  engine::Simulation simulation;
  Notes notes;
  RankReplay replay(notes, 0, trace);
  replay.start(simulation);
  EXPECT_THAT(notes.begun, ElementsAre(0));
  (void)simulation.run_until(SimTime::from_ps(8));
  replay.finish(0, SimTime::from_ps(2));
  EXPECT_TRUE(replay.done());
  EXPECT_EQ(replay.figures().communicating, SimTime::from_ps(8));
  EXPECT_EQ(replay.figures().exposed, SimTime::from_ps(3));
}

TEST(ChakraReplay, AComputationTakesTheLongerOfItsOperationsAndItsBytes) {
  topology::TopologySpec spec;
  spec.pe.pe_gemm_macs_per_cycle = 4096;
  spec.pe.clock_ghz = 1.0;
  spec.cube.memory_map.hbm_total_bw_gbs = 1024;
  spec.cube.memory_map.slices_per_cube = 8;
  EXPECT_EQ(compute_time(8'192'000, 0, 1, spec), SimTime::from_ps(1'000'000));
  EXPECT_EQ(compute_time(8'192'001, 0, 1, spec), SimTime::from_ps(1'000'001));
  EXPECT_EQ(compute_time(8, 128'000, 1, spec), SimTime::from_ps(1'000'000));
  EXPECT_EQ(compute_time(8, 128'000, 4, spec), SimTime::from_ps(250'000));
  EXPECT_EQ(compute_time(0, 0, 1, spec), SimTime());
}

}  // namespace
}  // namespace kernbench::model::chakra

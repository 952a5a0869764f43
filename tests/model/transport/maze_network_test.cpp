// SPDX-License-Identifier: Apache-2.0
// Flits between the MAZE nodes of a SIP travel as transfers of its fabric.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "model/components/machine/machine.hpp"
#include "model/fabric/analytic/maze_fabric.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::transport {
namespace {

using ::testing::ElementsAre;

/// Records its transfers and completes each after one clock cycle.
class RecordingFabric : public fabric::Fabric, private engine::EventHandler {
 public:
  RecordingFabric(engine::Simulation& simulation, std::uint32_t nodes,
                  std::vector<fabric::Transfer>& seen)
      : Fabric(simulation, {nodes, common::SimTime::from_ps(1'000), 8, true}), seen_(seen) {}

 private:
  void carry(const fabric::Transfer& transfer) override {
    seen_.push_back(transfer);
    simulation().schedule(simulation().now() + common::SimTime::from_ps(1'000), *this, transfer.id);
  }
  void on_event(engine::EventArgument id) override { complete(id.number()); }

  std::vector<fabric::Transfer>& seen_;
};

class MazeNetwork : public ::testing::Test {
 protected:
  static topology::TopologyGraph build() {
    topology::TopologySpec spec;
    spec.sip.inter_cube = topology::InterCube::Maze;
    return compile_topology(spec);
  }
  std::int64_t read(std::uint64_t bytes, FabricFactory factory, trace::HopTrace* trace = nullptr) {
    engine::Simulation simulation;
    components::Machine machine(
        simulation, graph_,
        {trace, &router_, &components::standard_components(), std::move(factory)});
    machine.accesses().submit({false, route_.edges, 0, bytes});
    simulation.run();
    EXPECT_EQ(machine.accesses().pending(), 0U);
    return simulation.now().ps();
  }

  const topology::TopologyGraph graph_ = build();
  const topology::PathRouter router_{graph_};
  // Cube 1 is at (1,0), cube 14 at (2,3).
  const topology::Path route_ = router_.find_path("sip1.cube1.pe0", "sip1.cube14.hbm_ctrl.pe0");
};

TEST_F(MazeNetwork, EachFlitIsATransferOfTheFabricThereAndBack) {
  std::vector<fabric::Transfer> seen;
  (void)read(600, [&seen](engine::Simulation& simulation, const topology::SipSpec& sip) {
    return std::make_unique<RecordingFabric>(simulation, sip.cubes(), seen);
  });
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> moves;
  for (const fabric::Transfer& transfer : seen) {
    moves.emplace_back(transfer.src, transfer.dst, transfer.bytes);
  }
  EXPECT_THAT(moves, ElementsAre(std::tuple(1U, 14U, 16U), std::tuple(14U, 1U, 256U),
                                 std::tuple(14U, 1U, 256U), std::tuple(14U, 1U, 88U)));
}

TEST_F(MazeNetwork, TheGivenFabricDeterminesTheTime) {
  std::vector<fabric::Transfer> seen;
  const std::int64_t fast =
      read(600, [&seen](engine::Simulation& simulation, const topology::SipSpec& sip) {
        return std::make_unique<RecordingFabric>(simulation, sip.cubes(), seen);
      });
  EXPECT_GT(read(600, {}), fast);
  EXPECT_EQ(read(600, {}),
            read(600, [](engine::Simulation& simulation, const topology::SipSpec& sip) {
              return fabric::make_analytic_maze(simulation, sip);
            }));
}

TEST_F(MazeNetwork, TheTraceHasTheTimesAtTheMaze) {
  trace::HopTrace trace;
  (void)read(16, {}, &trace);
  std::vector<std::int64_t> stays;
  for (const trace::HopRecord& record : trace.records()) {
    if (graph_.name(record.node) != "sip1.cube1.maze" || record.label.what != "read request") {
      continue;
    }
    EXPECT_EQ(record.depart.ps() % 1'000, 0);  // an edge of the clock
    stays.push_back((record.depart - record.arrive).ps() / 1'000);
  }
  // 16 packets. The way is one column and three rows on a torus of four, two links without stages
  // and three nodes of two cycles.
  EXPECT_THAT(stays, ElementsAre(21));
}

TEST_F(MazeNetwork, RejectsARouteThatBeginsOrEndsInTheMaze) {
  engine::Simulation simulation;
  Network network(simulation, graph_);
  struct : FlitReceiver {
    void on_flit(std::uint64_t, std::uint64_t, common::SimTime) override {}
  } receiver;
  const auto maze = std::find_if(route_.edges.begin(), route_.edges.end(), [this](auto edge) {
    return graph_.edge(edge).kind == topology::EdgeKind::MazeLink;
  });
  ASSERT_NE(maze, route_.edges.end());
  const std::vector<topology::EdgeId> cut(route_.edges.begin(), maze + 1);
  EXPECT_THROW((void)network.send(cut, 16, receiver, 0), std::invalid_argument);
  const std::vector<topology::EdgeId> rest(maze, route_.edges.end());
  EXPECT_THROW((void)network.send(rest, 16, receiver, 0), std::invalid_argument);
}

}  // namespace
}  // namespace kernbench::model::transport

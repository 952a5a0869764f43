// SPDX-License-Identifier: Apache-2.0
// The analytic MAZE under load, compared with the node model over the cycle reference.
#include <algorithm>
#include <cmath>

#include "cycle_fabric.hpp"
#include "model/fabric/analytic/maze_fabric.hpp"
#include "model/fabric/clocked/cycle_fabric.hpp"
#include "model/fabric/traffic/traffic_pattern.hpp"
#include "model/fabric/traffic/transfer_player.hpp"
#include "topology/spec/sip_spec.hpp"
#include "topology/zoo/routing/dimension_order.hpp"

namespace kernbench::model::fabric {
namespace {

using topology::DimensionOrder;

constexpr maze::Shape kGrid{5, 4, 8};

std::vector<PlayedTransfer> played(engine::Simulation& simulation, Fabric& fabric,
                                   const std::vector<TimedTransfer>& transfers) {
  TransferPlayer player(simulation, fabric, transfers);
  player.start();
  simulation.run();
  player.require_all_done();
  return player.played();
}

std::vector<PlayedTransfer> by_cycle(const std::vector<TimedTransfer>& transfers,
                                     DimensionOrder order) {
  CycleFabric cycle(kGrid, {.order = order});
  return played(cycle.simulation, cycle.fabric, transfers);
}

std::vector<PlayedTransfer> by_analytic(
    const std::vector<TimedTransfer>& transfers, DimensionOrder order,
    const AnalyticParameters& parameters = default_parameters(MazeNodeKind::Ideal)) {
  topology::SipSpec sip;
  sip.inter_cube = topology::InterCube::Maze;
  sip.cube_mesh_w = kGrid.nx;
  sip.cube_mesh_h = kGrid.ny;
  sip.maze.order = order;
  engine::Simulation simulation;
  const auto fabric = make_analytic_maze(simulation, sip, MazeNodeKind::Ideal, parameters);
  return played(simulation, *fabric, transfers);
}

std::vector<TimedTransfer> traffic(const std::string& kind, double load, std::uint64_t bytes) {
  const topology::zoo::FlattenedButterfly grid(kGrid.nx, kGrid.ny);
  const topology::zoo::DimensionOrderRouting relation(
      grid, grid.grid(), topology::zoo::DimensionStep::Direct, DimensionOrder::XY);
  return synthetic_transfers(TrafficPattern(relation, {.kind = kind}),
                             {.load = load, .bytes = bytes, .warmup = 0, .cycles = 1500}, kNs, 8);
}

/// Returns the largest difference of completion times, in cycles.
std::int64_t farthest(const std::vector<PlayedTransfer>& a, const std::vector<PlayedTransfer>& b) {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i].done->ps() - b[i].done->ps()) / 1000);
  }
  return most;
}

TEST(AnalyticLoad, IsExactForShortTransfersHoweverOftenTheyMeet) {
  for (const DimensionOrder order : {DimensionOrder::XY, DimensionOrder::YX}) {
    for (const std::uint64_t bytes : {1U, 3U, 16U}) {
      for (const double load : {0.2, 0.5, 0.7}) {
        const auto transfers = traffic("uniform_random", load, bytes);
        EXPECT_EQ(farthest(by_analytic(transfers, order), by_cycle(transfers, order)), 0)
            << bytes << " bytes, load " << load;
      }
    }
  }
}

TEST(AnalyticLoad, IsOffByFewCyclesWhereLinksStall) {
  for (const char* const kind : {"uniform_random", "hotspot"}) {
    const auto transfers = traffic(kind, 0.4, 200);
    const auto cycle = by_cycle(transfers, DimensionOrder::XY);
    EXPECT_LE(farthest(by_analytic(transfers, DimensionOrder::XY), cycle), 3);
    // The comparison notices a queue of half the size.
    EXPECT_GT(farthest(by_analytic(transfers, DimensionOrder::XY, {.queue_packets = 8}), cycle), 7);
  }
}

topology::SipSpec maze_of(std::uint32_t w, std::uint32_t h) {
  topology::SipSpec sip;
  sip.inter_cube = topology::InterCube::Maze;
  sip.cube_mesh_w = w;
  sip.cube_mesh_h = h;
  return sip;
}

// With turns of one packet. Queues, the links before them and the queues that feed those fill; a
// transfer that was alone is interrupted in the middle.
TEST(AnalyticLoad, IsThatOfTheNodesThatAreBuiltToACycle) {
  AnalyticParameters parameters = default_parameters(MazeNodeKind::Maze);
  parameters.quantum_packets = 1;
  for (const char* const kind : {"uniform_random", "hotspot"}) {
    for (const std::uint64_t bytes : {16U, 200U, 1000U}) {
      for (const double load : {0.05, 0.3, 0.9}) {
        const auto transfers = traffic(kind, load, bytes);
        ASSERT_FALSE(transfers.empty());
        const topology::SipSpec sip = maze_of(kGrid.nx, kGrid.ny);
        engine::Simulation exact;
        const auto cycle = make_cycle_maze(exact, sip);
        engine::Simulation estimate;
        const auto analytic = make_analytic_maze(estimate, sip, MazeNodeKind::Maze, parameters);
        EXPECT_LE(
            farthest(played(estimate, *analytic, transfers), played(exact, *cycle, transfers)), 1)
            << kind << " of " << bytes << " bytes at " << load;
      }
    }
  }
}

// A long transfer takes no event while it is alone, and a short one that crosses it waits for no
// more than its turn.
TEST(AnalyticLoad, InterruptsATransferThatWasAlone) {
  const topology::SipSpec sip = maze_of(4, 4);
  const std::vector<TimedTransfer> transfers = {
      {common::SimTime::from_ns(0), 0, 15, TransferType::Unicast, Qos::Low, 100'000},
      {common::SimTime::from_ns(40'000), 3, 15, TransferType::Unicast, Qos::Low, 4},
      {common::SimTime::from_ns(60'000), 0, 3, TransferType::Unicast, Qos::High, 4}};
  engine::Simulation exact;
  const auto cycle = make_cycle_maze(exact, sip);
  engine::Simulation estimate;
  const auto analytic =
      make_analytic_maze(estimate, sip, MazeNodeKind::Maze, {.quantum_packets = 1});
  // The source is a cycle longer at the packets of high QoS.
  EXPECT_EQ(farthest(played(estimate, *analytic, transfers), played(exact, *cycle, transfers)), 1);
}

TEST(AnalyticLoad, FollowsMulticastsTheCloserTheShorterTheirStride) {
  const std::vector<TimedTransfer> transfers = multicasts(kGrid.nodes(), 60, 64, 1);
  const auto cycle = by_cycle(transfers, DimensionOrder::XY);
  const auto mean_error = [&](std::uint32_t stride) {
    AnalyticParameters parameters = default_parameters(MazeNodeKind::Ideal);
    parameters.multicast_stride = stride;
    const auto analytic = by_analytic(transfers, DimensionOrder::XY, parameters);
    double sum = 0;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const auto expected = static_cast<double>(cycle[i].done->ps());
      sum += std::abs(static_cast<double>(analytic[i].done->ps()) - expected) / expected;
    }
    return sum / static_cast<double>(cycle.size());
  };
  EXPECT_LT(mean_error(1), 0.01);
  EXPECT_LT(mean_error(16), 0.05);
}

// With any parameters.
TEST(AnalyticLoad, IsExactForATransferThatMeetsNoOther) {
  for (const AnalyticParameters& parameters :
       {AnalyticParameters{2, 2, 0, 1}, AnalyticParameters{7, 2, 5, 3},
        AnalyticParameters{64, 8, 20, 1000}}) {
    for (const TransferType type :
         {TransferType::Unicast, TransferType::XMulticast, TransferType::Broadcast}) {
      for (std::uint32_t dst = 1; dst < kGrid.nodes(); ++dst) {
        const std::vector<TimedTransfer> one = {{kNs, 0, dst, type, Qos::Low, 100}};
        EXPECT_EQ(by_analytic(one, DimensionOrder::XY, parameters),
                  by_cycle(one, DimensionOrder::XY))
            << "to " << dst;
      }
    }
  }
}

// Preemption, stalls and multicasts together: every transfer completes.
TEST(AnalyticLoad, CarriesAnythingAtOnceWithAnyParameters) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::vector<TimedTransfer> transfers = multicasts(kGrid.nodes(), 80, 90, seed);
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      transfers[i].at = common::SimTime::from_ps(static_cast<std::int64_t>(700 * (i / 4)));
    }
    const AnalyticParameters parameters{
        .queue_packets = static_cast<std::uint32_t>(4 + seed % 13),
        .restart_cycles = static_cast<std::uint32_t>(seed % 3),
        .multicast_stride = static_cast<std::uint32_t>(1 + seed % 7)};
    for (const PlayedTransfer& each : by_analytic(transfers, DimensionOrder::YX, parameters)) {
      EXPECT_GT(*each.done, *each.submitted) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace kernbench::model::fabric

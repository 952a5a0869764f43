// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/traffic/transfer_player.hpp"

#include <algorithm>

#include "fabric_fixture.hpp"
#include "model/fabric/analytic/maze_fabric.hpp"
#include "model/fabric/clocked/clocked_fabric.hpp"
#include "model/fabric/clocked/cycle_links.hpp"
#include "model/fabric/traffic/synthetic_traffic.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::model::fabric {
namespace {

constexpr maze::Shape kShape{4, 4, 8};

common::SimTime ps(std::int64_t count) {
  return common::SimTime::from_ps(count);
}

PlayedTransfer played(std::int64_t submitted, std::int64_t done) {
  return {ps(submitted), ps(done)};
}

/// A 4x4 MAZE over the cycle reference or the analytic fabric.
std::unique_ptr<Fabric> make_maze(engine::Simulation& simulation, bool clocked) {
  if (clocked) {
    return std::make_unique<ClockedFabric>(
        simulation, kNs,
        std::make_unique<IdealMaze>(std::make_unique<CycleLinks>(kShape), MazeSettings{}));
  }
  topology::SipSpec sip;
  sip.inter_cube = topology::InterCube::Maze;
  sip.cube_mesh_w = kShape.nx;
  sip.cube_mesh_h = kShape.ny;
  return make_analytic_maze(simulation, sip, MazeNodeKind::Ideal);
}

std::vector<PlayedTransfer> play(const std::vector<TimedTransfer>& transfers, bool clocked) {
  engine::Simulation simulation;
  const auto fabric = make_maze(simulation, clocked);
  TransferPlayer player(simulation, *fabric, transfers);
  player.start();
  simulation.run();
  player.require_all_done();
  return player.played();
}

TEST(TransferPlayer, SubmitsEachTransferAtItsTimeAndNotesWhenItIsDoneOverEitherFabric) {
  const std::vector<TimedTransfer> transfers = {
      {.at = ps(0), .src = 0, .dst = 1, .bytes = 3},
      {.at = ps(0), .src = 4, .dst = 5, .qos = Qos::High, .bytes = 1},
      {.at = ps(4999), .src = 0, .dst = 1, .bytes = 1},
      {.at = ps(5000), .src = 4, .dst = 5, .bytes = 1},
      {.at = ps(20'000), .src = 7, .dst = 7, .type = TransferType::YMulticast, .bytes = 1},
      {.at = ps(30'000), .src = 7, .type = TransferType::Broadcast, .bytes = 1},
  };
  for (const bool clocked : {false, true}) {
    EXPECT_THAT(
        play(transfers, clocked),
        ::testing::ElementsAre(played(0, 3000), played(0, 1000), played(4999, 5000),
                               played(5000, 6000), played(20'000, 22'000), played(30'000, 34'000)));
  }
}

TEST(TransferPlayer, CompletesEveryKindOfTransferOverEitherFabric) {
  for (const bool clocked : {false, true}) {
    EXPECT_EQ(play(multicasts(16, 200, 8, 1), clocked).size(), 200U);
    EXPECT_EQ(play(all_to_all(16, 4), clocked).size(), 240U);
    EXPECT_EQ(play(concurrent(16, 100, 64, 1), clocked).size(), 100U);
  }
}

TEST(TransferPlayer, GivesSyntheticTransfersTheLatenciesOfSyntheticTraffic) {
  const auto topology = topology::zoo::parse_zoo_text("FlattenedButterfly(4,4)");
  const auto relation = topology::zoo::natural_routing(*topology);
  const TrafficPattern pattern(*relation, {});
  const TrafficLoad load{.load = 0.5, .bytes = 2, .warmup = 0, .cycles = 500, .seed = 3};
  engine::Simulation simulation;
  const auto fabric = make_maze(simulation, true);
  SyntheticTraffic traffic(simulation, *fabric, pattern, load);
  traffic.start();
  simulation.run();

  LatencyCounts latencies;
  for (const PlayedTransfer& transfer :
       play(synthetic_transfers(pattern, load, kNs, kShape.flit_w), true)) {
    latencies.add(static_cast<Edge>((*transfer.done - *transfer.submitted).ps() / kNs.ps()));
  }
  EXPECT_EQ(latencies.count(), traffic.latencies().count());
  EXPECT_EQ(latencies.mean(), traffic.latencies().mean());
  EXPECT_EQ(latencies.max(), traffic.latencies().max());
}

TEST(TransferPlayer, TakesNoEventBetweenTimes) {
  const std::vector<TimedTransfer> transfers = {
      {.at = ps(0), .src = 0, .dst = 1, .bytes = 1},
      {.at = ps(1'000'000'000'000), .src = 0, .dst = 1, .bytes = 1},
  };
  EXPECT_EQ(play(transfers, true).back(), played(1'000'000'000'000, 1'000'000'001'000));
}

TEST(TransferPlayer, RefusesTimesThatDecreaseOrAreNegative) {
  engine::Simulation simulation;
  const auto fabric = make_maze(simulation, false);
  const auto refusal = [&](const std::vector<TimedTransfer>& transfers) {
    return error_of([&] { TransferPlayer(simulation, *fabric, transfers); });
  };
  EXPECT_EQ(refusal({{.at = ps(5), .bytes = 1}, {.at = ps(5), .bytes = 1}, {.at = ps(4)}}),
            "transfer 2 is at 4 ps, before 5 ps");
  EXPECT_EQ(refusal({{.at = ps(-1), .bytes = 1}}), "transfer 0 is at -1 ps, before 0 ps");
}

TEST(TransferPlayer, LetsTheFabricRefuseATransfer) {
  EXPECT_EQ(error_of([] { (void)play({{.at = ps(0), .src = 16, .dst = 0, .bytes = 1}}, true); }),
            "transfer 0 has source 16; the last node is 15");
}

TEST(TransferPlayer, NamesTheFirstTransferThatIsNotDone) {
  const std::vector<TimedTransfer> transfers = {
      {.at = ps(0), .src = 0, .dst = 1, .bytes = 1},
      {.at = ps(0), .src = 3, .type = TransferType::YMulticast, .bytes = 100},
      {.at = ps(50'000), .src = 0, .dst = 1, .bytes = 1},
  };
  engine::Simulation simulation;
  const auto fabric = make_maze(simulation, true);
  TransferPlayer player(simulation, *fabric, transfers);
  player.start();
  simulation.run_until(ps(20'000));
  EXPECT_EQ(
      error_of<std::logic_error>([&] { player.require_all_done(); }),
      "2 of 3 transfers are incomplete; the first is transfer 1, y_multicast from node 3 at 0 ps");
  EXPECT_EQ(player.played()[1], (PlayedTransfer{ps(0), std::nullopt}));
  EXPECT_EQ(player.played()[2], PlayedTransfer{});
  simulation.run();
  player.require_all_done();
}

TEST(TransferPlayer, HasNothingToDoForAnEmptyList) {
  EXPECT_TRUE(play({}, true).empty());
}

}  // namespace
}  // namespace kernbench::model::fabric

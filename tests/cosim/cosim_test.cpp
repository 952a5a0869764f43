// SPDX-License-Identifier: Apache-2.0
// The same transfers on the three fabrics: runs are compared, and checkers notice every fault. The
// cycle reference behind the DUT interface replaces the RTL.
#include "cosim/run/cosim.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "common/diagnostics.hpp"
#include "cosim/workload/workloads.hpp"
#include "model/fabric/traffic/transfer_list.hpp"
#include "tests/sim/reference_dut.hpp"
#include "tests/sim/shapes.hpp"
#include "topology/maze_links.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {
namespace {

using common::Outcome;
using common::SimTime;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

topology::SipSpec maze_sip() {
  topology::SipSpec sip;
  sip.inter_cube = topology::InterCube::Maze;
  sip.cube_mesh_w = sim::k4x3.nx;
  sip.cube_mesh_h = sim::k4x3.ny;
  return sip;
}

FabricRunOptions options() {
  FabricRunOptions options;
  options.nodes = model::fabric::MazeNodeKind::Ideal;
  options.make_dut = [](std::uint64_t /*seed*/) {
    return std::make_shared<sim::ReferenceDut>(sim::k4x3);
  };
  return options;
}

Options all_fabrics(unsigned jobs = 1) {
  Options all;
  all.fabrics = {FabricKind::Analytic, FabricKind::Cycle, FabricKind::Rtl};
  all.run = options();
  all.jobs = jobs;
  return all;
}

std::vector<Workload> workloads(const std::string& name, std::vector<double> loads = {0.5}) {
  return make_workloads(name, maze_sip(),
                        {.loads = std::move(loads), .bytes = 3, .warmup = 50, .cycles = 300});
}

TEST(Cosim, CycleAndRtlAgreeInEveryPacketOfEveryWorkload) {
  for (const std::string& name : workload_names()) {
    if (name == "transpose" || name == "shuffle" || name.starts_with("bit_"))
      continue;  // not on 4x3
    for (const WorkloadResult& result :
         run_cosim(maze_sip(), workloads(name, {0.1, 0.9}), all_fabrics())) {
      EXPECT_EQ(result.outcome, Outcome::Pass) << name << ": " << result.reason;
      const FabricRun& cycle = *result.run(FabricKind::Cycle);
      const FabricRun& rtl = *result.run(FabricKind::Rtl);
      EXPECT_EQ(cycle.clocked->packet_hash, rtl.clocked->packet_hash);
      EXPECT_EQ(cycle.played, rtl.played);
      EXPECT_EQ(cycle.clocked->link_packets, rtl.clocked->link_packets);
      EXPECT_THAT(rtl.rtl->checkers, SizeIs(3));
      EXPECT_GT(rtl.rtl->checkers[0].checks, 0U);
      EXPECT_GT(rtl.rtl->checkers[1].checks, 0U);
      EXPECT_TRUE(rtl.rtl->coverage.has_value());
    }
  }
}

TEST(Cosim, ResultsDoNotDependOnTheNumberOfJobs) {
  const auto one = run_cosim(maze_sip(), workloads("uniform_random", {0.2, 0.8}), all_fabrics(1));
  const auto four = run_cosim(maze_sip(), workloads("uniform_random", {0.2, 0.8}), all_fabrics(4));
  ASSERT_EQ(one.size(), 2U);
  for (std::size_t i = 0; i < one.size(); ++i) {
    for (std::size_t f = 0; f < 3; ++f) {
      EXPECT_EQ(one[i].runs[f].played, four[i].runs[f].played);
      EXPECT_EQ(one[i].runs[f].clocked->packet_hash, four[i].runs[f].clocked->packet_hash);
    }
  }
  EXPECT_NE(one[0].runs[1].clocked->packet_hash, one[1].runs[1].clocked->packet_hash);
}

/// Runs traffic of both QoS levels with a fault and stalling receivers.
FabricRun run_with_fault(sim::FaultKind kind) {
  Workload traffic = workloads("uniform_random", {0.9}).front();
  for (std::size_t i = 0; i < traffic.transfers.size(); i += 2) {
    traffic.transfers[i].qos = model::fabric::Qos::High;
  }
  FabricRunOptions faulty = options();
  faulty.rtl.fault.emplace().kind = kind;
  faulty.rtl.fault->cycle = 20;
  faulty.rtl.watchdog_cycles = 500;
  faulty.receiver_stalls = 0.3;
  return run_on_fabric(FabricKind::Rtl, maze_sip(), traffic, faulty);
}

TEST(Cosim, EveryFaultIsCaughtAndItsLinkNamed) {
  const topology::MazeLinks links(sim::k4x3.nx, sim::k4x3.ny);
  for (const sim::FaultKind kind : sim::all_fault_kinds()) {
    const FabricRun run = run_with_fault(kind);
    EXPECT_EQ(run.outcome, Outcome::Mismatch) << sim::fault_name(kind);
    ASSERT_TRUE(run.rtl->fault.has_value());
    EXPECT_FALSE(run.rtl->coverage.has_value());
    // A dead receiver blocks many links, and a misrouted packet is reported where it arrives: the
    // reason names one of several links.
    if (kind == sim::FaultKind::ReceiverDead || kind == sim::FaultKind::StimulusMisroute) {
      EXPECT_THAT(run.rtl->failures, Not(IsEmpty())) << sim::fault_name(kind);
      continue;
    }
    const auto& link = links.leaving(run.rtl->fault->link.node, run.rtl->fault->link.port);
    EXPECT_THAT(run.reason, HasSubstr(links.link_name(link))) << sim::fault_name(kind);
  }
}

TEST(Cosim, FailFastStartsNoWorkloadAfterTheFirstThatFails) {
  Options faulty = all_fabrics();
  faulty.run.rtl.fault.emplace().kind = sim::FaultKind::Drop;
  const std::vector<Workload> loads = workloads("uniform_random", {0.3, 0.5, 0.7});
  EXPECT_THAT(run_cosim(maze_sip(), loads, faulty), SizeIs(3));
  faulty.fail_fast = true;
  const std::vector<WorkloadResult> results = run_cosim(maze_sip(), loads, faulty);
  ASSERT_THAT(results, SizeIs(1));
  EXPECT_EQ(results.front().outcome, Outcome::Mismatch);
  EXPECT_EQ(results.front().workload.offered->load, 0.3);
  ASSERT_THAT(results.front().runs, SizeIs(3));
  EXPECT_EQ(results.front().runs[2].outcome, Outcome::Mismatch);

  faulty.run.rtl.fault.reset();
  EXPECT_THAT(run_cosim(maze_sip(), loads, faulty), SizeIs(3));
}

TEST(Cosim, AFailureNamesTheCycleTheCheckerAndTheField) {
  FabricRunOptions faulty = options();
  faulty.rtl.fault.emplace().kind = sim::FaultKind::PayloadBitFlip;
  faulty.rtl.fault->link = sim::LinkEnd{0, 0};
  faulty.rtl.fault->cycle = 0;
  TransferWorkload workload;
  workload.name = "one packet";
  workload.transfers = {{SimTime::from_ps(5000), 0, 1, {}, {}, 1}};
  const FabricRun run = run_on_fabric(FabricKind::Rtl, maze_sip(), workload, faulty);
  EXPECT_THAT(run.reason,
              HasSubstr("edge 6: cycle 4 of the RTL: lockstep payload: [0,0].x[0] -> [0,1].x[0]: "
                        "payload is type=0 qos=0 src=[0,0] tgt=[0,1] data=0x"));
  EXPECT_THAT(run.rtl->fault->caught_by, ElementsAre("lockstep", "scoreboard"));
}

TEST(Cosim, RefusesAModelOfAnotherShape) {
  FabricRunOptions other = options();
  other.make_dut = [](std::uint64_t /*seed*/) {
    return std::make_shared<sim::ReferenceDut>(maze::Shape{3, 3, 8});
  };
  try {
    (void)run_on_fabric(FabricKind::Rtl, maze_sip(), workloads("all_to_all").front(), other);
    FAIL();
  } catch (const common::BadInput& error) {
    EXPECT_STREQ(
        error.what(),
        "error: the built model has 3x3 nodes with 8 data bits; the topology needs 4x3 with 8");
  }
}

TEST(Cosim, RefusesATopologyWithoutAMaze) {
  try {
    (void)maze_shape({});
    FAIL();
  } catch (const common::BadInput& error) {
    EXPECT_STREQ(error.what(),
                 "error: the cubes of this topology are not joined by a MAZE: 'sip.inter_cube' "
                 "must be maze");
  }
}

TEST(CosimOutcome, OfNoWorkloadIsVacuous) {
  EXPECT_EQ(outcome_of({}), common::Outcome::Vacuous);
  EXPECT_EQ(outcome_of({WorkloadResult{}}), common::Outcome::Pass);
}

TEST(Cosim, ARunWithoutTransfersHasCheckedNothing) {
  const auto results = run_cosim(maze_sip(), {Workload{}}, all_fabrics());
  ASSERT_THAT(results, SizeIs(1));
  EXPECT_EQ(results[0].outcome, Outcome::Vacuous);
  EXPECT_EQ(results[0].reason, "the workload has no transfers");
}

TEST(Cosim, AcceptedLoadAndUtilizationCountWhatMoved) {
  const auto results = run_cosim(maze_sip(), workloads("booksim.neighbor", {0.6}), all_fabrics());
  const WorkloadResult& result = results.front();
  EXPECT_NEAR(accepted_load(result.workload, result.runs[1], maze_sip()), 0.6, 0.05);
  EXPECT_EQ(accepted_load(result.workload, result.runs[1], maze_sip()),
            accepted_load(result.workload, result.runs[2], maze_sip()));
  // Each packet moves one node in both dimensions.
  std::uint64_t moved = 0;
  for (const std::uint64_t packets : result.runs[2].clocked->link_packets) moved += packets;
  EXPECT_EQ(moved, 2 * result.runs[2].packets);
  // Over time, the same packets cross every link, over the cycle reference as over the RTL.
  const model::fabric::LinkWindows& load = result.runs[2].clocked->link_windows;
  std::vector<std::uint64_t> of_links(result.runs[2].clocked->link_packets.size());
  for (const auto& window : load.packets) {
    for (std::size_t link = 0; link < of_links.size(); ++link) {
      EXPECT_LE(window[link], load.cycles);
      of_links[link] += window[link];
    }
  }
  EXPECT_EQ(of_links, result.runs[2].clocked->link_packets);
  EXPECT_EQ(load.packets, result.runs[1].clocked->link_windows.packets);
  double busy = 0;
  for (const double share : link_utilization(result.runs[2], maze_sip())) busy += share;
  EXPECT_NEAR(busy / (2 * sim::k4x3.nodes()), 0.6, 0.1);
}

/// A run of two transfers submitted at time 0.
FabricRun run_with(std::int64_t first_ps, std::int64_t second_ps) {
  FabricRun run;
  run.played = {{SimTime(), SimTime::from_ps(first_ps)}, {SimTime(), SimTime::from_ps(second_ps)}};
  run.clocked.emplace().cycles = 10;
  run.clocked->packet_hash = 1;
  return run;
}

TEST(FabricComparison, NamesTheFirstThingThatDiffers) {
  EXPECT_THAT(first_difference(run_with(1000, 2000), run_with(1000, 2000)), IsEmpty());
  EXPECT_EQ(first_difference(run_with(5000, 2000), run_with(6000, 3000)),
            "transfer 1 is done at 2000 ps over the cycle reference, at 3000 ps over the RTL");
  FabricRun other = run_with(1000, 2000);
  other.played[0].done.reset();
  EXPECT_EQ(first_difference(run_with(1000, 2000), other),
            "transfer 0 is done at 1000 ps over the cycle reference, never over the RTL");
  other = run_with(1000, 2000);
  other.clocked->cycles = 11;
  EXPECT_EQ(first_difference(run_with(1000, 2000), other),
            "10 cycles over the cycle reference, 11 over the RTL");
  other.clocked->cycles = 10;
  other.clocked->packet_hash = 2;
  EXPECT_EQ(first_difference(run_with(1000, 2000), other),
            "packets left their links at different times or with different contents");
}

TEST(FabricComparison, SumsUpLatenciesAndErrorsByNearestRank) {
  const LatencySummary summary = summarize(run_with(1000, 3000));
  EXPECT_EQ(summary.mean, 2000);
  EXPECT_EQ(summary.median, 1000);
  EXPECT_EQ(summary.p95, 3000);
  EXPECT_EQ(summary.max, 3000);
  const LatencyError error = latency_error(run_with(1000, 3000), run_with(1000, 4000));
  EXPECT_EQ(error.median, 0);
  EXPECT_EQ(error.p95, 0.25);
  EXPECT_EQ(error.max, 0.25);
  EXPECT_EQ(error.mean_signed, -0.125);
  EXPECT_THAT(error.worst, ElementsAre(1));
}

}  // namespace
}  // namespace kernbench::cosim

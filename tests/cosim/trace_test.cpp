// SPDX-License-Identifier: Apache-2.0
// Co-simulations that trace the packets of the cycle reference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cosim/report/text.hpp"
#include "cosim/run/cosim.hpp"
#include "cosim/workload/workloads.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Detail = model::fabric::PacketTrace::Detail;

topology::SipSpec square_maze_sip() {
  topology::SipSpec sip;
  sip.inter_cube = topology::InterCube::Maze;
  sip.cube_mesh_w = 4;
  sip.cube_mesh_h = 4;
  return sip;
}

/// Runs a workload on the analytic fabric and the cycle reference.
std::vector<WorkloadResult> run(const std::string& workload, std::optional<Detail> trace,
                                bool trace_first = false) {
  Options options;
  options.run.nodes = model::fabric::MazeNodeKind::Ideal;
  options.fabrics = {FabricKind::Analytic, FabricKind::Cycle};
  // A small queue makes the analytic fabric overestimate waiting times.
  options.run.analytic.emplace().queue_packets = 2;
  options.run.trace = trace;
  options.trace_first = trace_first;
  const WorkloadSettings settings{.loads = {0.3, 0.8}, .bytes = 5, .warmup = 20, .cycles = 100};
  return run_cosim(square_maze_sip(), make_workloads(workload, square_maze_sip(), settings),
                   options);
}

TEST(CosimTrace, SaysOfEveryTransferWhereItsLatencyWent) {
  std::uint64_t waited = 0;
  for (const WorkloadResult& result : run("uniform_random", Detail::LastPackets)) {
    const FabricRun& cycle = *result.run(FabricKind::Cycle);
    for (std::size_t i = 0; i < result.workload.transfers.size(); ++i) {
      const auto lost = lost_time_of(result, i);
      ASSERT_TRUE(lost.has_value());
      // Synthetic traffic is submitted at edges, 1 ns apart.
      EXPECT_EQ(lost->serialization + lost->minimum + lost->waited(),
                static_cast<std::uint64_t>(cycle.latency(i).ps() / 1000));
      waited += lost->waited();
    }
  }
  EXPECT_GT(waited, 1000U);
}

TEST(CosimTrace, ChangesNothingOfTheRun) {
  const auto plain = run("multicasts", {});
  const auto traced = run("multicasts", Detail::AllPackets);
  const FabricRun& cycle = *plain[0].run(FabricKind::Cycle);
  EXPECT_TRUE(cycle.clocked->traces.empty());
  EXPECT_EQ(cycle.played, traced[0].run(FabricKind::Cycle)->played);
  EXPECT_EQ(cycle.clocked->packet_hash, traced[0].run(FabricKind::Cycle)->clocked->packet_hash);
  EXPECT_FALSE(traced[0].run(FabricKind::Analytic)->clocked.has_value());
  EXPECT_FALSE(lost_time_of(plain[0], 0).has_value());
}

TEST(CosimTrace, OnlyTheFirstWorkloadIsFollowedWhenThatIsAskedFor) {
  const auto results = run("uniform_random", {}, true);
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].run(FabricKind::Cycle)->clocked->traces.size(), 1U);
  EXPECT_TRUE(results[1].run(FabricKind::Cycle)->clocked->traces.empty());
}

TEST(CosimTrace, TheTextShowsTheWorstTransfersWithPathAndPlace) {
  const auto results = run("uniform_random", Detail::LastPackets);
  const auto worst =
      latency_error(*results[1].run(FabricKind::Analytic), *results[1].run(FabricKind::Cycle), 3)
          .worst;
  ASSERT_EQ(worst.size(), 3U);
  const auto& links = results[1].run(FabricKind::Cycle)->clocked->traces.front()->links();
  const std::string text = text_report(results, square_maze_sip());
  for (const std::size_t transfer : worst) {
    const auto lost = lost_time_of(results[1], transfer);
    EXPECT_THAT(text, HasSubstr(lost->path(links)));
    EXPECT_THAT(text, HasSubstr(lost->place(links) + "\n"));
  }
  EXPECT_THAT(text_report(run("uniform_random", {}), square_maze_sip()),
              Not(HasSubstr("largest errors")));
}

}  // namespace
}  // namespace kernbench::cosim

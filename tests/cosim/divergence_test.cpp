// SPDX-License-Identifier: Apache-2.0
// Cycle reference and RTL that both complete but differ.
#include "cosim/run/divergence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "cosim/report/json.hpp"
#include "cosim/run/cosim.hpp"
#include "cosim/workload/reproduction.hpp"
#include "cosim/workload/workloads.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/sim/reference_dut.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {
namespace {

using common::Outcome;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

topology::SipSpec parted_sip() {
  topology::SipSpec sip;
  sip.inter_cube = topology::InterCube::Maze;
  sip.cube_mesh_w = 4;
  sip.cube_mesh_h = 3;
  return sip;
}

/// A receiver that sleeps for a while violates no rule, so checkers cannot notice it.
Options with_a_nap() {
  Options options;
  options.run.nodes = model::fabric::MazeNodeKind::Ideal;
  options.fabrics = {FabricKind::Cycle, FabricKind::Rtl};
  options.run.make_dut = [](std::uint64_t /*seed*/) {
    return std::make_shared<sim::ReferenceDut>(maze::Shape{4, 3, 8});
  };
  options.run.rtl.fault.emplace().kind = sim::FaultKind::ReceiverSleeps;
  options.run.rtl.fault->link = sim::LinkEnd{0, 0};
  options.run.rtl.fault->duration = 20;
  return options;
}

WorkloadResult parted(const Options& options) {
  const WorkloadSettings settings{.loads = {0.5}, .warmup = 50, .cycles = 300};
  return run_cosim(parted_sip(), make_workloads("uniform_random", parted_sip(), settings), options)
      .front();
}

TEST(Divergence, NamesTheFirstEdgeCycleLinkAndField) {
  const WorkloadResult result = parted(with_a_nap());
  EXPECT_EQ(result.outcome, Outcome::Mismatch);
  EXPECT_EQ(result.run(FabricKind::Rtl)->outcome, Outcome::Pass);
  EXPECT_THAT(result.run(FabricKind::Rtl)->rtl->failures, IsEmpty());
  ASSERT_TRUE(result.parting.has_value());
  EXPECT_THAT(result.reason, HasSubstr("over the RTL; " + result.parting->reason));
  // The fault begins in cycle 50, which is edge 47.
  EXPECT_EQ(
      result.parting->reason,
      "edge 47: cycle 50 of the RTL: [0,0].x[0] -> [0,1].x[0]: ready: packet not accepted over "
      "the RTL, packet accepted over the cycle reference");
  const sim::Failure& failure = result.parting->rtl->failures.at(0);
  EXPECT_EQ(failure.kind, "ready");
  EXPECT_EQ(failure.cycle, 50U);
  EXPECT_EQ(failure.link->node, 0U);
  EXPECT_EQ(failure.link->port, 0U);
  const nlohmann::json data = json_data({result}, parted_sip());
  EXPECT_EQ(data["workloads"][0]["parting"][0]["link"]["name"], "[0,0].x[0] -> [0,1].x[0]");
}

TEST(Divergence, OfALinkWithStagesShowsWhereThePacketComesOut) {
  Options options = with_a_nap();
  options.run.rtl.fault->link = sim::LinkEnd{0, 1};
  const WorkloadResult result = parted(options);
  ASSERT_TRUE(result.parting.has_value());
  EXPECT_THAT(result.parting->reason,
              ::testing::MatchesRegex(
                  "edge [0-9]+: cycle [0-9]+ of the RTL: \\[0,0\\]\\.x\\[1\\] -> "
                  "\\[0,2\\]\\.x\\[1\\]: valid: no packet over the RTL, type=0 .* over the "
                  "cycle reference"));
}

TEST(Divergence, IsRepeatedFromItsFile) {
  const Options options = with_a_nap();
  const WorkloadResult result = parted(options);
  const auto reproduction = reproduction_of(parted_sip(), result, options.run);
  ASSERT_TRUE(reproduction.has_value());
  EXPECT_TRUE(reproduction->beside_reference);
  EXPECT_LT(reproduction->workload.transfers.size(), result.workload.transfers.size());
  EXPECT_THAT(reproduction->failure,
              HasSubstr("cycle " + std::to_string(reproduction->cycle) + " of the RTL"));
  const common::TempFolder folder;
  const auto path = folder.path() / "parted.json";
  write_reproduction(path, *reproduction, {});
  const FabricRun again = replay(read_reproduction(path), options.run.make_dut, {});
  EXPECT_EQ(again.outcome, Outcome::Mismatch);
  EXPECT_EQ(again.reason, reproduction->failure);
}

TEST(Divergence, ThereIsNoneBetweenEqualRuns) {
  Options options = with_a_nap();
  options.run.rtl.fault.reset();
  options.run.receiver_stalls = 0.3;
  const WorkloadResult result = parted(options);
  EXPECT_EQ(result.outcome, Outcome::Pass) << result.reason;
  EXPECT_FALSE(reproduction_of(parted_sip(), result, options.run).has_value());
  const FabricRun run = run_side_by_side(parted_sip(), result.workload, options.run);
  EXPECT_EQ(run.outcome, Outcome::Pass) << run.reason;
  EXPECT_EQ(run.played, result.run(FabricKind::Rtl)->played);
}

TEST(Divergence, EveryFaultPartsOrIsSeenByAChecker) {
  for (const sim::FaultKind kind : sim::all_fault_kinds()) {
    Options options = with_a_nap();
    options.run.rtl.fault->kind = kind;
    options.run.receiver_stalls = 0.3;
    const WorkloadSettings settings{.loads = {0.9}, .warmup = 50, .cycles = 300};
    auto workload = make_workloads("uniform_random", parted_sip(), settings).front();
    for (std::size_t i = 0; i < workload.transfers.size(); i += 2) {
      workload.transfers[i].qos = model::fabric::Qos::High;
    }
    EXPECT_EQ(run_side_by_side(parted_sip(), workload, options.run).outcome, Outcome::Mismatch)
        << sim::fault_name(kind);
  }
}

}  // namespace
}  // namespace kernbench::cosim

// SPDX-License-Identifier: Apache-2.0
// Workloads of whole machines on the three fabrics. The cycle reference behind the DUT interface
// replaces the RTL.
#include "model/components/machine/machine_workload.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "cosim/report/json.hpp"
#include "cosim/report/text.hpp"
#include "cosim/run/cosim.hpp"
#include "cosim/workload/reproduction.hpp"
#include "cosim/workload/workloads.hpp"
#include "model/probe/probe_workload.hpp"
#include "tests/sim/reference_dut.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cosim {
namespace {

using common::Outcome;
using common::SimTime;
using model::components::MachineOptions;
using model::components::MachineRun;
using model::components::MachineWorkload;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

topology::TopologyGraph machine_graph(std::uint32_t sips) {
  topology::TopologySpec spec;
  spec.system.sips = sips;
  spec.sip.inter_cube = topology::InterCube::Maze;
  spec.sip.cube_mesh_w = 4;
  spec.sip.cube_mesh_h = 3;
  return topology::compile_topology(spec);
}

Options machine_options() {
  Options options;
  options.run.nodes = model::fabric::MazeNodeKind::Ideal;
  options.fabrics = {FabricKind::Analytic, FabricKind::Cycle, FabricKind::Rtl};
  options.run.make_dut = [](std::uint64_t /*seed*/) {
    return std::make_shared<sim::ReferenceDut>(maze::Shape{4, 3, 8});
  };
  return options;
}

class ProbeOverFabrics : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  [[nodiscard]] WorkloadResult run(const std::string& name) const {
    const WorkloadSettings settings{.bytes = 600};
    return run_cosim(graph_.spec().sip, make_workloads(name, graph_, settings), options_).front();
  }
  topology::TopologyGraph graph_ = machine_graph(GetParam());
  Options options_ = machine_options();
};

TEST_P(ProbeOverFabrics, CaseByCaseIsWhatTheProbeMeasuresOnEveryFabric) {
  // The probe runs over the nodes that are built.
  options_.run.nodes = model::fabric::MazeNodeKind::Maze;
  options_.fabrics = {FabricKind::Analytic, FabricKind::Cycle};
  const WorkloadResult result = run("probe");
  EXPECT_EQ(result.outcome, Outcome::Pass) << result.reason;
  const auto cases = model::probe::probe_cases(graph_);
  for (const FabricRun& run : result.runs) {
    ASSERT_EQ(run.machine->operations.size(), cases.size());
    EXPECT_EQ(run.mazes, GetParam());
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const auto alone = model::probe::run_probe(graph_, cases[i], 600);
      EXPECT_EQ(run.latency(i), alone.actual) << run.machine->operations[i];
    }
  }
  EXPECT_EQ(result.runs[0].machine->operations.front(), "h2d cube 0");
}

TEST_P(ProbeOverFabrics, AtOnceCycleAndRtlAgreeInEveryOperationAndPacket) {
  const WorkloadResult result = run("probe_at_once");
  EXPECT_EQ(result.outcome, Outcome::Pass) << result.reason;
  const FabricRun& cycle = *result.run(FabricKind::Cycle);
  const FabricRun& rtl = *result.run(FabricKind::Rtl);
  EXPECT_EQ(cycle.played, rtl.played);
  EXPECT_EQ(cycle.clocked->packet_hash, rtl.clocked->packet_hash);
  EXPECT_EQ(cycle.clocked->link_packets, rtl.clocked->link_packets);
  EXPECT_GT(rtl.rtl->checkers.at(1).checks, 0U);
  EXPECT_TRUE(rtl.rtl->coverage.has_value());
  EXPECT_THAT(rtl.machine->sent, SizeIs(GetParam()));
  // Cases contend for the memory of cube 0 rather than for the MAZE.
  EXPECT_EQ(latency_error(result.runs[0], rtl).max, 0.0);
  EXPECT_THAT(text_report({result}, graph_.spec().sip), Not(HasSubstr("largest errors")));
}

TEST_P(ProbeOverFabrics, AFaultIsCaughtAndRepeatedFromWhatTheMachineSent) {
  options_.run.rtl.fault.emplace().kind = sim::FaultKind::PayloadBitFlip;
  options_.run.rtl.fault->link = sim::LinkEnd{4, 4};  // on the way back from 1 south
  options_.run.rtl.fault->cycle = 0;
  const WorkloadResult result = run("probe_at_once");
  EXPECT_EQ(result.outcome, Outcome::Mismatch);
  EXPECT_THAT(result.reason, HasSubstr("lockstep payload: [1,0].y[1] -> [0,0].y[1]"));
  EXPECT_EQ(result.reason.starts_with("SIP 0: "), GetParam() > 1) << result.reason;
  const auto reproduction = reproduction_of(graph_.spec().sip, result, options_.run);
  ASSERT_TRUE(reproduction.has_value());
  EXPECT_EQ(replay(*reproduction, options_.run.make_dut, {}).reason,
            result.run(FabricKind::Rtl)->reason);
}

TEST_P(ProbeOverFabrics, IsFollowedThroughEveryMaze) {
  options_.fabrics = {FabricKind::Cycle};
  options_.trace_first = true;
  const WorkloadResult result = run("probe");
  const FabricRun& cycle = *result.run(FabricKind::Cycle);
  EXPECT_THAT(cycle.clocked->traces, SizeIs(GetParam()));
  ASSERT_NE(cycle.machine->hops, nullptr);
  EXPECT_FALSE(cycle.machine->hops->records().empty());
}

INSTANTIATE_TEST_SUITE_P(Sips, ProbeOverFabrics, ::testing::Values(1U, 2U));

/// Sends one transfer over each MAZE and returns a scripted result.
class ScriptedMachine final : public MachineWorkload {
 public:
  using Script = MachineRun (*)(const model::fabric::Fabric& fabric);
  explicit ScriptedMachine(Script script) : script_(script) {}

  [[nodiscard]] MachineRun run(const MachineOptions& options) const override {
    model::engine::Simulation simulation;
    topology::SipSpec sip;
    sip.inter_cube = topology::InterCube::Maze;
    sip.cube_mesh_w = 4;
    sip.cube_mesh_h = 3;
    const auto fabric = options.make_fabric(simulation, sip);
    Listener listener;
    fabric->submit({.id = 77, .src = 0, .dst = 5, .bytes = 3}, listener);
    simulation.run();
    EXPECT_THAT(listener.done, ElementsAre(77U));
    return script_(*fabric);
  }

 private:
  struct Listener final : model::fabric::TransferListener {
    void on_transfer_done(std::uint64_t id) override { done.push_back(id); }
    std::vector<std::uint64_t> done;
  };
  Script script_;
};

WorkloadResult scripted(ScriptedMachine::Script script) {
  Workload workload;
  workload.name = "scripted";
  workload.machine = std::make_shared<ScriptedMachine>(script);
  const topology::TopologyGraph graph = machine_graph(1);
  return run_cosim(graph.spec().sip, {workload}, machine_options()).front();
}

int scripted_calls = 0;

TEST(MachineWorkload, WithoutOperationsHasCheckedNothing) {
  const WorkloadResult result = scripted([](const auto&) { return MachineRun{}; });
  EXPECT_EQ(result.outcome, Outcome::Vacuous);
  EXPECT_EQ(result.reason, "the workload has no operations");
}

TEST(MachineWorkload, MustHaveTheSameOperationsOnEveryFabric) {
  scripted_calls = 0;
  const WorkloadResult result = scripted([](const auto&) {
    MachineRun run;
    run.operations = {{"load", {}, SimTime::from_ps(5)}};
    if (++scripted_calls == 3) run.operations.push_back({"store", {}, SimTime::from_ps(6)});
    return run;
  });
  EXPECT_EQ(result.outcome, Outcome::Mismatch);
  EXPECT_EQ(result.reason, "operation 1 is nothing over analytic and 'store' over rtl");
}

TEST(MachineWorkload, MustComputeTheSameNumbersOnEveryFabric) {
  scripted_calls = 0;
  const WorkloadResult result = scripted([](const auto&) {
    MachineRun run;
    run.operations = {{"add", {}, SimTime::from_ps(5)}};
    run.result_hash = ++scripted_calls < 2 ? 1 : 2;
    return run;
  });
  EXPECT_EQ(result.outcome, Outcome::Mismatch);
  EXPECT_EQ(result.reason, "the numbers computed over analytic and over cycle differ");
}

TEST(MachineWorkload, OperationsOfCycleAndRtlMustAgreeToThePicosecond) {
  scripted_calls = 0;
  const WorkloadResult later = scripted([](const auto&) {
    return MachineRun{{{"add", {}, SimTime::from_ps(++scripted_calls < 3 ? 5 : 6)}}, 1};
  });
  EXPECT_EQ(later.outcome, Outcome::Mismatch);
  EXPECT_EQ(later.reason,
            "operation 'add' is done at 5 ps over the cycle reference, at 6 ps over the RTL");
  scripted_calls = 0;
  const WorkloadResult moved = scripted([](const auto&) {
    return MachineRun{
        {{"add", SimTime::from_ps(++scripted_calls < 3 ? 1 : 2), SimTime::from_ps(9)}}, 1};
  });
  EXPECT_EQ(moved.reason,
            "operation 'add' starts at 1 ps over the cycle reference, at 2 ps over the RTL");
}

TEST(MachineWorkload, AnOperationEndsAfterItsStart) {
  EXPECT_THROW((void)scripted([](const auto&) {
                 return MachineRun{{{"back", SimTime::from_ps(5), SimTime::from_ps(4)}}, 1};
               }),
               std::logic_error);
}

TEST(MachineWorkload, IsInTheJsonWithItsOperationsAndNumbers) {
  const WorkloadResult result = scripted([](const auto&) {
    return MachineRun{{{"add", SimTime::from_ps(1000), SimTime::from_ps(5000)}}, 0xab};
  });
  EXPECT_EQ(result.outcome, Outcome::Pass) << result.reason;
  const nlohmann::json data = json_data({result}, machine_graph(1).spec().sip);
  const nlohmann::json& workload = data["workloads"][0];
  EXPECT_EQ(workload["transfers"], 1);
  EXPECT_EQ(workload["operations"], nlohmann::json::parse(R"([{
    "operation": 0, "name": "add",
    "start_ps": {"analytic": 1000, "cycle": 1000, "rtl": 1000},
    "latency_ps": {"analytic": 4000, "cycle": 4000, "rtl": 4000}}])"));
  EXPECT_EQ(workload["runs"][2]["result_hash"], "00000000000000ab");
  EXPECT_EQ(workload["runs"][2]["model_hash"], "reference");
  EXPECT_EQ(workload["runs"][2]["packets"], 3);
  EXPECT_GT(data["coverage"]["hit"], 0);
  EXPECT_EQ(data["coverage"]["total"], result.runs[2].rtl->coverage->total_bins());
}

}  // namespace
}  // namespace kernbench::cosim

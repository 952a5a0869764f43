// SPDX-License-Identifier: Apache-2.0
// Benches on the three fabrics. The cycle reference behind the DUT interface replaces the RTL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "common/diagnostics.hpp"
#include "cosim/report/json.hpp"
#include "cosim/report/text.hpp"
#include "cosim/run/cosim.hpp"
#include "cosim/workload/workloads.hpp"
#include "model/bench/bench_workload.hpp"
#include "tests/places.hpp"
#include "tests/sim/reference_dut.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cosim {
namespace {

using common::Outcome;
using model::bench::Bench;
using model::bench::BenchWorkload;
using model::data::Array;
using model::data::DataType;
using model::runtime::Context;
using ::testing::HasSubstr;
using ::testing::StartsWith;

topology::TopologyGraph square(std::uint32_t sips) {
  topology::TopologySpec spec;
  spec.system.sips = sips;
  spec.sip.inter_cube = topology::InterCube::Maze;
  spec.sip.cube_mesh_w = 2;
  spec.sip.cube_mesh_h = 2;
  return topology::compile_topology(spec);
}

Options all_fabrics_2x2() {
  Options options;
  options.run.nodes = model::fabric::MazeNodeKind::Ideal;
  options.fabrics = {FabricKind::Analytic, FabricKind::Cycle, FabricKind::Rtl};
  options.run.make_dut = [](std::uint64_t /*seed*/) {
    return std::make_shared<sim::ReferenceDut>(maze::Shape{2, 2, 8});
  };
  return options;
}

WorkloadSettings with(const std::string& bytes) {
  WorkloadSettings settings;
  settings.parameters = {{"bytes", bytes}};
  settings.ccl_yaml = places::source("/configs/ccl.yaml");
  return settings;
}

class BenchOverFabrics : public ::testing::TestWithParam<std::tuple<const char*, std::uint32_t>> {};

TEST_P(BenchOverFabrics, HasTheSameOperationsAndNumbersOnEach) {
  const auto& [name, sips] = GetParam();
  const topology::TopologyGraph graph = square(sips);
  const WorkloadResult result =
      run_cosim(graph.spec().sip, make_workloads(name, graph, with("2048")), all_fabrics_2x2())
          .front();
  ASSERT_EQ(result.outcome, Outcome::Pass) << result.reason;
  const FabricRun& analytic = *result.run(FabricKind::Analytic);
  const FabricRun& cycle = *result.run(FabricKind::Cycle);
  const FabricRun& rtl = *result.run(FabricKind::Rtl);
  EXPECT_TRUE(cycle.machine->result_hash.has_value());
  EXPECT_EQ(analytic.machine->result_hash, cycle.machine->result_hash);
  EXPECT_EQ(rtl.machine->result_hash, cycle.machine->result_hash);
  EXPECT_EQ(analytic.machine->operations, cycle.machine->operations);
  EXPECT_EQ(cycle.played, rtl.played);
  EXPECT_EQ(cycle.clocked->packet_hash, rtl.clocked->packet_hash);
  const std::set<std::string> names(rtl.machine->operations.begin(), rtl.machine->operations.end());
  EXPECT_EQ(names.size(), rtl.machine->operations.size());
  EXPECT_THAT(text_report({result}, graph.spec().sip),
              HasSubstr(common::hex64(*rtl.machine->result_hash)));
}

INSTANTIATE_TEST_SUITE_P(Collectives, BenchOverFabrics,
                         ::testing::Combine(::testing::Values("bench:all-reduce",
                                                              "bench:all-to-all"),
                                            ::testing::Values(1U, 2U)));

TEST(BenchWorkload, NamesItsLaunchesTheHostsCopiesAndWhatEachPeDoes) {
  const topology::TopologyGraph graph = square(1);
  const auto workload = make_workloads("bench:all-to-all", graph, with("32")).front();
  const auto operations = workload.machine->run({}).operations;
  const auto named = [&](const std::string& name) {
    return std::any_of(operations.begin(), operations.end(),
                       [&](const auto& operation) { return operation.name == name; });
  };
  EXPECT_EQ(operations[0].name, "fill sip0");
  EXPECT_EQ(operations[1].name, "all-to-all sip0");
  EXPECT_EQ(operations[2].name, "copy#1 host_read host sip0");
  EXPECT_EQ(operations[3].name, "fill#1 arange sip0.cube0.pe0");
  // Two launches; a copy; 8 PEs, each with a load or number and a store for each of 4 cubes, twice.
  EXPECT_EQ(operations.size(), 2U + 1 + 8 * 4 * 2 * 2);
  EXPECT_TRUE(named("all-to-all#8 dma_write sip0.cube3.pe1"));
  EXPECT_FALSE(named("all-to-all#9 dma_write sip0.cube3.pe1"));
}

TEST(BenchWorkload, OfAllToAllEveryCubeSendsToEveryOtherAndOperationsThatDifferAreShown) {
  const topology::TopologyGraph graph = square(1);
  Options options = all_fabrics_2x2();
  // A small queue makes the analytic fabric overestimate waiting times.
  options.run.analytic.emplace().queue_packets = 2;
  const WorkloadResult result =
      run_cosim(graph.spec().sip, make_workloads("bench:all-to-all", graph, with("2048")), options)
          .front();
  EXPECT_EQ(result.outcome, Outcome::Pass) << result.reason;
  EXPECT_GT(latency_error(result.runs[0], result.runs[2]).max, 0.0);
  EXPECT_THAT(text_report({result}, graph.spec().sip), HasSubstr("dma_write sip0.cube"));
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const auto& transfer : result.run(FabricKind::Rtl)->machine->sent.front()) {
    pairs.emplace(transfer.src, transfer.dst);
  }
  EXPECT_EQ(pairs.size(), 4U * 3);
}

std::string refusal(const std::string& name, const WorkloadSettings& settings) {
  const topology::TopologyGraph graph = square(1);
  try {
    require_used_parameters({"uniform_random", name}, settings);
    const auto workloads = make_workloads(name, graph, settings);
    (void)workloads.front().machine->run({});
  } catch (const common::BadInput& error) {
    return std::string(error.what()).substr(std::string_view("error: ").size());
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(BenchWorkload, RefusesWhatTheBenchCannotUse) {
  EXPECT_EQ(refusal("bench:all-redude", with("32")),
            "workload 'bench:all-redude': unknown bench 'all-redude'; did you mean "
            "'all-reduce'?");
  EXPECT_EQ(
      refusal("bench:all-to-all", with("much")),
      "workload 'bench:all-to-all': parameter 'bytes' must be a whole number such as 8192, not "
      "'much'");
  EXPECT_EQ(refusal("bench:all-to-all", with("33")),
            "'bytes' must be a multiple of 32: 2 PEs have elements of 4 bytes for 4 cubes");
  EXPECT_EQ(refusal("bench:vector-add", with("32")),
            "--set: no bench among the workloads has a parameter 'bytes'");
  WorkloadSettings no_file = with("32");
  no_file.ccl_yaml = "no-such.yaml";
  EXPECT_THAT(refusal("bench:all-reduce", no_file), HasSubstr("no-such.yaml"));
}

/// A user's bench on all fabrics.
WorkloadResult run_own(const Bench& bench) {
  const topology::TopologyGraph graph = square(1);
  Workload workload;
  workload.name = "own";
  workload.machine = std::make_shared<BenchWorkload>(
      bench, graph, std::map<std::string, std::string>{}, model::runtime::CclSource{});
  return run_cosim(graph.spec().sip, {workload}, all_fabrics_2x2()).front();
}

model::runtime::HostCopy copied(Context& kb, int number) {
  const auto data = [number] {
    const model::data::MatrixI numbers = model::data::MatrixI::Constant(4, 1, number);
    return Array::from(DataType::I32, numbers);
  };
  return kb.read(kb.tensor(4, 1, DataType::I32, {}, data));
}

TEST(BenchWorkload, WithAWrongNumberIsAMismatch) {
  const WorkloadResult result =
      run_own({"own", "", {}, [](Context& kb) {
                 kb.expect("copy", copied(kb, 7), [] { return Array(DataType::I32, 4, 1); });
               }});
  EXPECT_EQ(result.outcome, Outcome::Mismatch);
  EXPECT_EQ(result.reason, "copy: 4 of 4 numbers are wrong; first [0, 0]: 7, expected 0");
}

TEST(BenchWorkload, ThatChecksNothingIsVacuous) {
  const WorkloadResult result = run_own({"own", "", {}, [](Context& kb) { (void)copied(kb, 7); }});
  EXPECT_EQ(result.outcome, Outcome::Vacuous);
  EXPECT_EQ(result.reason, "the bench checks no numbers");
}

TEST(BenchWorkload, ThatAsksForNothingIsVacuous) {
  const WorkloadResult result = run_own({"own", "", {}, [](Context& /*kb*/) {}});
  EXPECT_EQ(result.outcome, Outcome::Vacuous);
  EXPECT_EQ(result.reason, "bench 'own': bench 'own' submitted no operation");
}

TEST(BenchWorkload, ThatWaitsForeverIsADeadlock) {
  const WorkloadResult result = run_own({"own", "", {}, [](Context& kb) {
                                           (void)copied(kb, 7);
                                           model::engine::Event never("what never comes");
                                           kb.wait(never);
                                         }});
  EXPECT_EQ(result.outcome, Outcome::Deadlock);
  EXPECT_THAT(result.reason, StartsWith("bench 'own': "));
  EXPECT_THAT(result.reason, HasSubstr("what never comes"));
}

TEST(BenchWorkload, IsCarriedByABrokenRtlOnlyUpToTheFault) {
  const topology::TopologyGraph graph = square(1);
  Options options = all_fabrics_2x2();
  options.run.rtl.fault.emplace().kind = sim::FaultKind::PayloadBitFlip;
  options.run.rtl.fault->cycle = 0;
  const WorkloadResult result =
      run_cosim(graph.spec().sip, make_workloads("bench:all-reduce", graph, with("256")), options)
          .front();
  EXPECT_EQ(result.outcome, Outcome::Mismatch);
  EXPECT_THAT(result.reason, HasSubstr("lockstep payload"));
}

}  // namespace
}  // namespace kernbench::cosim

// SPDX-License-Identifier: Apache-2.0
// The parts of a PE, in exact picoseconds. A message within a PE takes 32 ps (16 bytes on a wire of
// 512 GB/s) plus the overhead of the receiving part.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/components/parts/memories.hpp"
#include "model/engine/errors.hpp"
#include "tests/model/components/machine_fixture.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::int64_t kWire = 32;
constexpr std::int64_t kToScheduler = kWire + 2'000;
constexpr std::int64_t kToDma = kWire + 2'000;
constexpr std::int64_t kToFetchStore = kWire + 1'000;
constexpr std::int64_t kToTcm = kWire + 1'000;
constexpr std::int64_t kToGemm = kWire + 2'000;
constexpr std::int64_t kToMath = kWire + 2'000;
constexpr std::int64_t kToCpu = kWire + 5'000;
/// A command and its completion, without the engine.
constexpr std::int64_t kCommand = kToScheduler + kToScheduler + kToCpu;
/// 256 bytes of the PE's own slice, from the start of the DMA: request and data over two wires each
/// (63 and 1,000 ps; 5 ps along each), the router twice, the controller, a channel's 16 GB/s.
constexpr std::int64_t kOwnSlice = 2 * 63 + 2 * 1'000 + 4 * 5 + 2 * 1'000 + 30'000 + 16'000;

std::uint64_t slice_address(std::uint64_t slice, std::uint64_t offset = 0) {
  return topology::encode(topology::PhysAddr::hbm(
      0, 0, slice * default_graph().spec().cube.memory_map.hbm_slice_bytes() + offset));
}

using PeGemmTest = MachineTest;
TEST_F(PeGemmTest, TakesItsOverheadAndACycleForEvery4096MultiplyAdds) {
  EXPECT_EQ(time_of(gemm_work(40'960)), kCommand + kToGemm + 10'000);
  EXPECT_EQ(time_of(gemm_work(40'961)), kCommand + kToGemm + 11'000);
  EXPECT_EQ(time_of(gemm_work(1)), kCommand + kToGemm + 1'000);
}

TEST_F(PeGemmTest, DoesACommandThatWasDoneAsAnother) {
  PeCommand command("first", gemm_work(40'960));
  const auto time_again = [&] {
    const std::int64_t from = simulation_.now().ps();
    simulation_.spawn("kernel", run_command(cpu({}), command));
    simulation_.run();
    return simulation_.now().ps() - from;
  };
  EXPECT_EQ(time_again(), kCommand + kToGemm + 10'000);
  command.renew("second");
  EXPECT_EQ(command.done.name(), "second");
  EXPECT_FALSE(command.done.triggered());
  command.pipeline().plan.renew(1)[0].renew(StageKind::Gemm);
  command.pipeline().plan.renew(1)[0].macs = 4'096;
  EXPECT_EQ(time_again(), kCommand + kToGemm + 1'000);
  command.renew("third");
  command.work = dma_work(false, slice_address(0), 256);
  EXPECT_EQ(time_again(), kCommand + kToDma + kOwnSlice);
  command.renew("fourth");
  command.work = IpcqSend{"E", 1};
  EXPECT_EQ(command.pipeline().plan.size(), 0U) << "what it was is gone";
}

TEST_F(PeGemmTest, WorksOnOneTileAtATimeAndSaysWhatItWaitedFor) {
  PeCommand first("first", gemm_work(40'960));
  PeCommand second("second", gemm_work(40'960));
  simulation_.spawn("a", run_command(cpu({}), first));
  simulation_.spawn("b", run_command(cpu({}), second));
  simulation_.run();
  // The second tile's message waits for the wire behind the first one's, twice, and then for the
  // engine: 32 ps less than a whole tile.
  const std::int64_t begin = kToScheduler + kToGemm;
  EXPECT_THAT(departures("sip0.cube0.pe0.pe_gemm", "gemm"),
              ElementsAre(begin + 10'000, begin + 20'000));
  const auto record = std::find_if(trace_.records().begin(), trace_.records().end(),
                                   [](const trace::HopRecord& candidate) {
                                     return candidate.why == trace::WaitReason::EngineBusy;
                                   });
  ASSERT_NE(record, trace_.records().end());
  EXPECT_EQ(record->wait.ps(), 10'000 - kWire);
  EXPECT_NE(record->behind, record->label.transaction);
}

using PeMathTest = MachineTest;
TEST_F(PeMathTest, TakesItsOverheadAndACycleForEvery128Elements) {
  EXPECT_EQ(time_of(math_work(MathOp::Exp, 128)), kCommand + kToMath + 1'000);
  EXPECT_EQ(time_of(math_work(MathOp::Sum, 129)), kCommand + kToMath + 2'000);
}

using PeDmaTest = MachineTest;
TEST_F(PeDmaTest, AReadOfTheOwnSliceTakesTheCommandAndTheAccess) {
  EXPECT_EQ(time_of(dma_work(false, slice_address(0), 256)), kCommand + kToDma + kOwnSlice);
}

TEST_F(PeDmaTest, HasOneReadInFlightAtATime) {
  PeCommand first("first", dma_work(false, slice_address(0), 256));
  PeCommand second("second", dma_work(false, slice_address(0, 4096), 256));
  simulation_.spawn("a", run_command(cpu({}), first));
  simulation_.spawn("b", run_command(cpu({}), second));
  simulation_.run();
  const std::int64_t begin = kToScheduler + kToDma;
  EXPECT_THAT(departures("sip0.cube0.pe0.pe_dma", "dma read"),
              ElementsAre(begin + kOwnSlice, begin + 2 * kOwnSlice));
}

TEST_F(PeDmaTest, AReadAndAWriteAreInFlightTogether) {
  PeCommand read("read", dma_work(false, slice_address(0), 256));
  PeCommand write("write", dma_work(true, slice_address(1), 256));
  simulation_.spawn("a", run_command(cpu({}), read));
  simulation_.spawn("b", run_command(cpu({}), write));
  simulation_.run();
  const std::int64_t begin = kToScheduler + kToDma;
  EXPECT_THAT(departures("sip0.cube0.pe0.pe_dma", "dma read"), ElementsAre(begin + kOwnSlice));
  ASSERT_THAT(departures("sip0.cube0.pe0.pe_dma", "dma write"), SizeIs(1));
  EXPECT_LT(departures("sip0.cube0.pe0.pe_dma", "dma write")[0], begin + 2 * kOwnSlice);
}

TEST_F(PeDmaTest, AnAccessAcrossASliceBoundaryIsServedByBothControllers) {
  const std::uint64_t slice = machine_.spec().cube.memory_map.hbm_slice_bytes();
  (void)time_of(dma_work(false, slice_address(0, slice - 256), 512));
  EXPECT_THAT(departures("sip0.cube0.hbm_ctrl.pe0", "read"), SizeIs(1));
  EXPECT_THAT(departures("sip0.cube0.hbm_ctrl.pe1", "read"), SizeIs(1));
}

TEST_F(PeDmaTest, PaysTheTlbOverheadOnceATile) {
  topology::TopologySpec spec;
  spec.pe.pe_mmu_tlb_overhead_ns = 0.25;
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  engine::Simulation simulation;
  Machine machine(simulation, graph);
  PeCommand command("read", dma_work(false, slice_address(0), 256));
  simulation.spawn(
      "kernel",
      run_command(machine.component_as<PeCpu>(machine.pe_part({}, topology::NodeKind::PeCpu)),
                  command));
  simulation.run();
  EXPECT_EQ(simulation.now().ps(), kCommand + kToDma + 250 + kOwnSlice);
}

struct BadAccess {
  const char* name;
  std::uint64_t address;
  std::uint64_t bytes;
  const char* message;
};
class PeDmaRefuses : public MachineTest, public ::testing::WithParamInterface<BadAccess> {};
TEST_P(PeDmaRefuses, AccessesToMemoryThatIsNotThere) {
  PeCommand command("read", dma_work(false, GetParam().address, GetParam().bytes));
  simulation_.spawn("kernel", run_command(cpu({}), command));
  try {
    simulation_.run();
    FAIL() << "the access was taken";
  } catch (const engine::ProcessError& error) {
    EXPECT_EQ(std::string(error.what()),
              fmt::format("process 'sip0.cube0.pe0.pe_dma read' failed at 4064 ps: {}",
                          GetParam().message));
  }
}
INSTANTIATE_TEST_SUITE_P(
    All, PeDmaRefuses,
    ::testing::Values(
        BadAccess{"NoBytes", 0, 0, "access of 0 bytes at 0x0: there is nothing to access"},
        BadAccess{"ATebibyte", 0, std::uint64_t{1} << 40U,
                  "access of 1099511627776 bytes at 0x0: 1099511627776 bytes at offset 0x0 do not "
                  "fit into the 0xc00000000 bytes of the HBM of sip0.cube0"},
        BadAccess{
            "AReservedKind", std::uint64_t{5} << 36U, 256,
            "access of 256 bytes at 0x5000000000: physical address 0x0000005000000000: kind 5 "
            "(bits 39..36) is reserved; 0 and 9 to 15 are HBM, 1 is a PE resource"},
        BadAccess{"AnAbsentSip", std::uint64_t{9} << 48U, 256,
                  "access of 256 bytes at 0x9000000000000: node sip9.cube0.hbm_ctrl.pe0 not found "
                  "in topology"},
        BadAccess{"NeitherMappedNorPhysical", std::uint64_t{1} << 56U, 256,
                  "access of 256 bytes at 0x100000000000000: physical address 0x0100000000000000: "
                  "bits 63..56 must be 0"},
        BadAccess{"AnMCpu", topology::encode(topology::PhysAddr::m_cpu(0, 0, 0)), 16,
                  "the route of an access ends at a memory, not at sip0.cube0.m_cpu"}),
    [](const auto& test) { return std::string(test.param.name); });

using PeTcmTest = MachineTest;
/// One tile that is fetched, computed for one cycle and stored, all in TCM.
PeCommand::Work resident_tile(std::uint64_t bytes) {
  MathShape shape;
  shape.elements = bytes;
  shape.tile_elements = bytes;
  shape.element_bytes = 1;
  shape.inputs = {Staging::ResidentTcm};
  shape.output = Staging::ResidentTcm;
  shape.ops = {MathOp::Exp};
  return plan_work(plan_math(shape), {{0, bytes, 1}, {0, bytes, 1}});
}

TEST_F(PeTcmTest, FetchAndStoreTakeTheTcmsOverheadAndItsBandwidth) {
  // 65,536 bytes at 512 GB/s are 128,000 ps, and 512 cycles of the math engine.
  EXPECT_EQ(time_of(resident_tile(65'536)),
            kCommand + 2 * (kToFetchStore + kToTcm + 128'000) + kToMath + 512'000);
}

TEST_F(PeTcmTest, RequestsOfADirectionAreServedOneAfterTheOther) {
  auto& tcm = machine_.component_as<PeTcm>(node("sip0.cube0.pe0.pe_tcm"));
  const auto at = [](std::int64_t ps) { return common::SimTime::from_ps(ps); };
  EXPECT_EQ(tcm.serve(false, 0, 512, at(0), 1).end.ps(), 1'000);
  EXPECT_EQ(tcm.serve(false, 0, 512, at(10), 2).end.ps(), 2'000);
  const Service write = tcm.serve(true, 0, 512, at(20), 3);
  EXPECT_EQ(write.start.ps(), 20);  // reads do not delay it
  EXPECT_EQ(write.end.ps(), 1'020);
  EXPECT_EQ(write.behind, 0U);
}

using PeSchedulerTest = MachineTest;
TEST_F(PeSchedulerTest, TilesPassFromEngineToEngineByThemselves) {
  GemmShape shape;
  shape.m = shape.n = shape.k = 64;
  shape.tile_m = shape.tile_n = shape.tile_k = 64;
  shape.element_bytes = 2;
  shape.epilogue = {MathOp::Exp, MathOp::Abs};
  shape.a = Staging::ResidentTcm;
  shape.b = Staging::ResidentTcm;
  shape.c = Staging::ResidentTcm;
  const TensorPlace tensor{0, 64, 2};
  // 8,192 bytes for A and B each: fetched together. 64^3 multiply-adds are 64 cycles, 4,096
  // elements 32; the second math op needs no message.
  EXPECT_EQ(time_of(plan_work(plan_gemm(shape), {tensor, tensor, tensor})),
            kCommand + kToFetchStore + kToTcm + 32'000 + kToGemm + 64'000 + kToMath + 2 * 32'000 +
                kToFetchStore + kToTcm + 16'000);
}

TEST_F(PeSchedulerTest, AsManyTilesAsMayAreInFlight) {
  MathShape shape;
  shape.elements = 4 * 1'280;
  shape.tile_elements = 1'280;  // 10 cycles
  shape.element_bytes = 1;
  shape.inputs = {Staging::ResidentTcm};
  shape.output = Staging::ResidentTcm;
  shape.ops = {MathOp::Exp};
  const std::vector<TensorPlace> tensors(2, TensorPlace{0, shape.elements, 1});
  const std::int64_t tile = kToFetchStore + kToTcm + 2'500 + kToMath + 10'000 + kToFetchStore +
                            kToTcm + 2'500 + kToScheduler;
  EXPECT_EQ(time_of(plan_work(plan_math(shape), tensors, 1)), kToScheduler + 4 * tile + kToCpu);
  const std::int64_t overlapped = time_of(plan_work(plan_math(shape), tensors, 2));
  EXPECT_LT(overlapped, kToScheduler + 3 * tile + kToCpu);
  EXPECT_GE(overlapped, kToScheduler + 2 * tile + kToCpu);
}

TEST_F(PeSchedulerTest, AStreamedGemmReadsEachTileOfAMatrixInOneAccess) {
  GemmShape shape;
  shape.m = shape.k = shape.n = 64;
  shape.tile_m = shape.tile_k = shape.tile_n = 32;
  shape.element_bytes = 2;
  const std::vector<TensorPlace> tensors = {{slice_address(0), 64, 2},
                                            {slice_address(0, 8'192), 64, 2},
                                            {slice_address(0, 16'384), 64, 2}};
  EXPECT_GT(time_of(plan_work(plan_gemm(shape), tensors)), 0);
  // 8 tiles read A and B, 32 rows of 64 bytes each; 4 of them write C.
  EXPECT_THAT(departures("sip0.cube0.hbm_ctrl.pe0", "read"), SizeIs(8 * 2));
  EXPECT_THAT(departures("sip0.cube0.hbm_ctrl.pe0", "write"), SizeIs(4));
  EXPECT_THAT(departures("sip0.cube0.pe0.pe_gemm", "gemm"), SizeIs(8));
}

TEST_F(PeSchedulerTest, RefusesPlansThatCannotBe) {
  EXPECT_THROW((void)gemm_work(0), std::invalid_argument);
  EXPECT_THROW((void)math_work(MathOp::Exp, 0), std::invalid_argument);
  EXPECT_THROW((void)plan_work(TilePlan(0, nullptr), {}, 0), std::invalid_argument);
}

TEST_F(PeSchedulerTest, APlanWithoutTilesIsDoneAtOnce) {
  EXPECT_EQ(time_of(plan_work(TilePlan(0, nullptr), {})), kToScheduler + kToCpu);
}

}  // namespace
}  // namespace kernbench::model::components

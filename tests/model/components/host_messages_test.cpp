// SPDX-License-Identifier: Apache-2.0
// Requests of the host, to the PEs and back, in exact picoseconds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "model/components/parts/pe_mmu.hpp"
#include "model/engine/errors.hpp"
#include "model/probe/closed_form.hpp"
#include "tests/model/components/machine_fixture.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {
namespace {

using memory::PeLocation;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using topology::NodeKind;
using topology::PhysAddr;

std::uint64_t hbm(std::uint8_t sip, std::uint8_t cube, std::uint32_t pe, std::uint64_t offset = 0) {
  return topology::encode(PhysAddr::hbm(
      sip, cube, pe * default_graph().spec().cube.memory_map.hbm_slice_bytes() + offset));
}

class HostTest : public MachineTest {
 protected:
  /// Runs a request of the host alone and returns its duration.
  std::int64_t time_of_request(engine::Process request) {
    const std::int64_t from = simulation_.now().ps();
    simulation_.spawn("host", std::move(request));
    simulation_.run();
    return simulation_.now().ps() - from;
  }
  /// Returns the error message of an invalid request.
  std::string refusal(engine::Process request) {
    simulation_.spawn("host", std::move(request));
    try {
      simulation_.run();
    } catch (const engine::ProcessError& error) {
      return error.what();
    }
    return "not refused";
  }
  [[nodiscard]] std::vector<topology::EdgeId> route(std::string_view from, std::string_view to) {
    return machine_.router().find_node_path(from, to).edges;
  }
  /// Returns the time of a route and back, including the overhead of either end.
  [[nodiscard]] std::int64_t there_and_back(const std::vector<topology::EdgeId>& path,
                                            std::uint64_t bytes) {
    return message_time(path, bytes) + message_time(machine_.network().reversed(path), 16);
  }
  [[nodiscard]] const memory::PageTable& table(const PeLocation& pe) {
    return machine_.component_as<PeMmu>(machine_.pe_part(pe, NodeKind::PeMmu)).table();
  }
  /// A launch whose programs take `time_of(context)`.
  KernelLaunch launch(std::string name,
                      std::function<common::SimTime(const KernelContext&)> time_of) {
    machine_.kernels().define(name,
                              [this, time_of = std::move(time_of)](const KernelContext& context) {
                                return busy(context, time_of(context));
                              });
    return {std::move(name)};
  }
  KernelLaunch launch(std::string name, std::int64_t ps) {
    return launch(std::move(name),
                  [ps](const KernelContext&) { return common::SimTime::from_ps(ps); });
  }
  engine::Process busy(const KernelContext& context, common::SimTime time) {
    ran_.push_back(context.pe);
    co_await simulation_.delay(time);
  }

  std::vector<PeLocation> ran_;
};

TEST_F(HostTest, AWriteTakesTheDirectPathAndEqualsTheClosedForm) {
  const std::int64_t time =
      time_of_request(host().write({{{1, 5, 3}, hbm(1, 5, 3, 4096), 100'000}}));
  const auto path =
      machine_.router().find_memory_path("fabric.host_cpu0", "sip1.cube5.hbm_ctrl.pe3");
  const auto back = machine_.network().reversed(path.edges);
  EXPECT_EQ(
      time,
      probe::closed_form(machine_.graph(), {true, path.edges, back, 4096, 100'000}).latency().ps());
  for (const trace::HopRecord& record : trace_.records()) {
    const NodeKind kind = machine_.graph().node(record.node).kind;
    EXPECT_NE(kind, NodeKind::IoCpu);
    EXPECT_NE(kind, NodeKind::MCpu);
  }
}

TEST_F(HostTest, AReadBringsEveryShardAndEndsWithTheLast) {
  const std::int64_t near = time_of_request(host().read({{{0, 0, 0}, hbm(0, 0, 0), 4096}}));
  const std::int64_t far = time_of_request(host().read({{{0, 15, 7}, hbm(0, 15, 7), 4096}}));
  const std::int64_t both = time_of_request(
      host().read({{{0, 15, 7}, hbm(0, 15, 7), 4096}, {{0, 0, 0}, hbm(0, 0, 0), 4096}}));
  EXPECT_GT(far, near);
  EXPECT_GE(both, far);
  EXPECT_LT(both, near + far);
}

TEST_F(HostTest, AWriteToTheSramIsServedThereFlitByFlit) {
  (void)time_of_request(
      host().write({{{0, 2, 1}, topology::encode(PhysAddr::sram(0, 2, 64)), 512}}));
  const std::vector<std::int64_t> served = departures("sip0.cube2.sram", "write");
  const std::vector<std::int64_t> arrived = departures("sip0.cube2.sram", "write data");
  ASSERT_THAT(served, SizeIs(1));
  // The last flit: the overhead, and 256 bytes at 256 GB/s.
  EXPECT_EQ(served[0], arrived.at(0) + 4'000 + 1'000);
}

TEST_F(HostTest, CopiesTravelToTheMCpuOnceAndFromThereToEachSlice) {
  const std::int64_t time = time_of_request(
      host().write_copies({{{0, 3, 0}, hbm(0, 3, 0), 4096}, {{0, 3, 7}, hbm(0, 3, 7), 4096}}));
  EXPECT_GT(time, 0);
  EXPECT_THAT(departures("sip0.cube3.m_cpu", "copies"), SizeIs(1));
  EXPECT_THAT(departures("sip0.io0.pcie_ep", "copies"), SizeIs(1));
  EXPECT_THAT(departures("sip0.cube3.hbm_ctrl.pe0", "write"), SizeIs(1));
  EXPECT_THAT(departures("sip0.cube3.hbm_ctrl.pe7", "write"), SizeIs(1));
  for (const trace::HopRecord& record : trace_.records()) {
    EXPECT_EQ(machine_.graph().name(record.node).find(".pe0."), std::string_view::npos);
  }
}

TEST_F(HostTest, ACopyToOneSliceTakesTheMessageThePlacingAndTheAnswer) {
  const std::int64_t time = time_of_request(host().write_copies({{{0, 0, 0}, hbm(0, 0, 0), 128}}));
  const auto down =
      machine_.router().find_memory_path("fabric.host_cpu0", "sip0.cube0.m_cpu").edges;
  const auto placing =
      machine_.router().find_mcpu_dma_path("sip0.cube0.m_cpu", "sip0.cube0.hbm_ctrl.pe0").edges;
  const auto back = machine_.network().reversed(placing);
  // The M_CPU paid its overhead when the message arrived.
  const std::int64_t placed =
      probe::closed_form(machine_.graph(), {true, placing, back, 0, 128}).latency().ps() - 10'000;
  EXPECT_EQ(time, there_and_back(down, 128 + 16) + placed);
}

TEST_F(HostTest, ALaunchGoesFromIoCpuToMCpuToPeCpuAndBack) {
  const std::int64_t time = time_of_request(host().run({launch("wait", 7'000)}, {{0, 6, 2}}));
  EXPECT_EQ(time, there_and_back(route("fabric.host_cpu0", "sip0.io0.io_cpu"), 32) +
                      there_and_back(route("sip0.io0.io_cpu", "sip0.cube6.m_cpu"), 32) +
                      there_and_back(route("sip0.cube6.m_cpu", "sip0.cube6.pe2.pe_cpu"), 32) +
                      7'000);
  EXPECT_THAT(ran_, ElementsAre(PeLocation{0, 6, 2}));
}

TEST_F(HostTest, ALaunchReachesItsPesOverCommandWiresOnly) {
  const auto path = machine_.router().find_node_path("sip0.cube6.m_cpu", "sip0.cube6.pe2.pe_cpu");
  for (std::size_t i = 1; i + 1 < path.nodes.size(); ++i) {
    EXPECT_EQ(machine_.graph().node(path.nodes[i]).kind, NodeKind::Router);
  }
  EXPECT_EQ(machine_.graph().edge(path.edges.back()).kind, topology::EdgeKind::Command);
}

TEST_F(HostTest, ALaunchRunsOnEveryTargetOnceAndEndsWithTheSlowest) {
  const KernelLaunch by_pe = launch("by_pe", [](const KernelContext& context) {
    return common::SimTime::from_ps(1'000'000 * (context.pe.sip + context.pe.pe));
  });
  std::vector<PeLocation> all;
  for (std::uint32_t sip = 0; sip < 2; ++sip) {
    for (std::uint32_t cube = 0; cube < 16; ++cube) {
      for (std::uint32_t pe = 0; pe < 8; ++pe) all.push_back({sip, cube, pe});
    }
  }
  EXPECT_GT(time_of_request(host().run({by_pe}, all)), 8'000'000);
  std::sort(ran_.begin(), ran_.end());
  EXPECT_EQ(ran_, all);
  // Each IO_CPU and M_CPU answers once.
  EXPECT_THAT(departures("sip0.io0.io_cpu", "done"), SizeIs(1 + 16));
}

TEST_F(HostTest, RefusesLaunchesThatCannotBe) {
  EXPECT_THAT(
      refusal(host().run({launch("wait", 0)}, {{0, 16, 0}, {0, 0, 0}, {2, 0, 8}})),
      HasSubstr("a launch for PEs that the topology lacks: sip0.cube16.pe0, sip2.cube0.pe8"));
  EXPECT_THAT(refusal(host().run({launch("wait", 0)}, {})), HasSubstr("a launch has no targets"));
  EXPECT_THAT(refusal(host().run({launch("wait", 0)}, {{0, 1, 2}, {0, 1, 2}})),
              HasSubstr("a launch names sip0.cube1.pe2 twice"));
  EXPECT_THAT(ran_, IsEmpty());
}

TEST_F(HostTest, ALaunchOfAnUnknownKernelIsAnsweredByThePes) {
  (void)launch("wait", 0);
  EXPECT_THAT(refusal(host().run({KernelLaunch{"wiat"}}, {{0, 6, 2}, {0, 6, 3}})),
              HasSubstr("sip0.cube6.pe2.pe_cpu: unknown kernel 'wiat': use wait; did you mean "
                        "'wait'?"));
  EXPECT_THAT(ran_, IsEmpty());
  // The answers of the PEs meet at the M_CPU, whose answer is back at the host after the time of a
  // launch that does nothing. The message to the second PE follows the first, 32 bytes at 64 GB/s.
  EXPECT_EQ(
      simulation_.now().ps(),
      there_and_back(route("fabric.host_cpu0", "sip0.io0.io_cpu"), 48) +
          there_and_back(route("sip0.io0.io_cpu", "sip0.cube6.m_cpu"), 48) +
          std::max(there_and_back(route("sip0.cube6.m_cpu", "sip0.cube6.pe2.pe_cpu"), 32),
                   500 + there_and_back(route("sip0.cube6.m_cpu", "sip0.cube6.pe3.pe_cpu"), 32)));
}

TEST_F(HostTest, AKernelThatThrowsEndsTheRunWithItsPe) {
  const KernelLaunch failing = launch("fail", [](const KernelContext&) -> common::SimTime {
    throw std::runtime_error("no memory left");
  });
  EXPECT_THAT(refusal(host().run({failing}, {{0, 1, 2}})),
              ::testing::AllOf(HasSubstr("process 'fail on sip0.cube1.pe2.pe_cpu' failed"),
                               HasSubstr("no memory left")));
}

TEST_F(HostTest, RefusesShardsThatAreNotWhereTheySay) {
  const std::uint64_t slice = machine_.spec().cube.memory_map.hbm_slice_bytes();
  EXPECT_THAT(refusal(host().write({{{0, 0, 1}, hbm(0, 0, 0), 64}})),
              HasSubstr("the 64 bytes at 0x0 are in sip0.cube0.hbm_ctrl.pe0, not entirely in "
                        "memory of sip0.cube0.pe1"));
  EXPECT_THAT(
      refusal(host().write({{{0, 0, 0}, hbm(0, 0, 0, slice - 32), 64}})),
      HasSubstr("are in sip0.cube0.hbm_ctrl.pe1, not entirely in memory of sip0.cube0.pe0"));
  EXPECT_THAT(refusal(host().read({})), HasSubstr("a host access must have at least one shard"));
  EXPECT_THAT(refusal(host().read({{{0, 0, 0}, hbm(0, 0, 0), 0}})),
              HasSubstr("there is nothing to access"));
  EXPECT_THAT(
      refusal(host().write_copies({{{0, 0, 0}, hbm(0, 0, 0), 64}, {{0, 1, 0}, hbm(0, 1, 0), 64}})),
      HasSubstr("copies must have the same size and be in the same cube"));
  EXPECT_THAT(refusal(host().write_copies(
                  {{{0, 0, 0}, topology::encode(PhysAddr::pe_tcm(0, 0, 0, 0)), 64}})),
              HasSubstr("0x1000000000 is in the TCM of sip0.cube0.pe0, which only PEs reach"));
}

TEST_F(HostTest, AMapReachesTheMmuOfEveryTargetOverTheNetwork) {
  const std::uint64_t va = std::uint64_t{1} << 56U;
  const std::int64_t time =
      time_of_request(host().run({MmuMap{{{va, hbm(0, 6, 2), 4096}}}}, {{0, 6, 2}}));
  EXPECT_EQ(time, there_and_back(route("fabric.host_cpu0", "sip0.io0.io_cpu"), 56) +
                      there_and_back(route("sip0.io0.io_cpu", "sip0.cube6.m_cpu"), 56) +
                      there_and_back(route("sip0.cube6.m_cpu", "sip0.cube6.pe2.pe_mmu"), 56));
  EXPECT_EQ(table({0, 6, 2}).translate(va + 5), hbm(0, 6, 2) + 5);
  EXPECT_EQ(table({0, 6, 3}).translate(va), std::nullopt);
}

TEST_F(HostTest, TheLaterOfTwoOverlappingMapsWinsByteByByte) {
  const std::uint64_t va = std::uint64_t{1} << 56U;
  (void)time_of_request(
      host().run({MmuMap{{{va, hbm(0, 0, 0), 100}, {va + 50, hbm(0, 0, 1), 100}}}}, {{0, 0, 0}}));
  EXPECT_EQ(table({0, 0, 0}).translate(va + 49), hbm(0, 0, 0) + 49);
  EXPECT_EQ(table({0, 0, 0}).translate(va + 50), hbm(0, 0, 1));
  (void)time_of_request(host().run({MmuUnmap{{{va, 0, 60}}}}, {{0, 0, 0}}));
  EXPECT_EQ(table({0, 0, 0}).translate(va + 59), std::nullopt);
  EXPECT_EQ(table({0, 0, 0}).translate(va + 60), hbm(0, 0, 1) + 10);
}

TEST_F(HostTest, AReadThroughAMappingTakesAsLongAsByPhysicalAddress) {
  const std::uint64_t va = std::uint64_t{1} << 56U;
  (void)time_of_request(host().run({MmuMap{{{va, hbm(0, 4, 1), 65536}}}}, {{0, 0, 0}}));
  const std::int64_t mapped = time_of(dma_work(false, va + 4096, 4096));
  EXPECT_EQ(mapped, time_of(dma_work(false, hbm(0, 4, 1, 4096), 4096)));
  EXPECT_THAT(departures("sip0.cube4.hbm_ctrl.pe1", "read"), SizeIs(2));
}

}  // namespace
}  // namespace kernbench::model::components

// SPDX-License-Identifier: Apache-2.0
// Sends and receives between PEs: exact times, credits, slots and errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "model/components/parts/pe_ipcq.hpp"
#include "model/engine/errors.hpp"
#include "model/probe/closed_form.hpp"
#include "tests/model/components/machine_fixture.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {
namespace {

using memory::PeLocation;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using topology::NodeKind;
using topology::SlotBacking;

constexpr PeLocation kLeft{0, 0, 0};
constexpr PeLocation kRight{0, 0, 1};

topology::TopologyGraph with_backing(SlotBacking backing, std::uint32_t slots = 4) {
  topology::TopologySpec spec;
  spec.pe.pe_ipcq_backing = backing;
  spec.pe.pe_ipcq_slots = slots;
  return topology::compile_topology(spec);
}

class IpcqTest : public MachineTest {
 protected:
  IpcqTest() = default;
  explicit IpcqTest(const topology::TopologyGraph& graph) : MachineTest(graph) {}

  void join(const PeLocation& a, const PeLocation& b, const char* there = "E",
            const char* back = "W") {
    install_neighbors(machine_, {{a, there, b, back}});
  }
  engine::Process kernel(PeCpu& pe, std::vector<PeCommand::Work> works,
                         std::vector<std::int64_t>& ends) {
    for (PeCommand::Work& work : works) {
      PeCommand command("command", std::move(work));
      pe.start(command);
      co_await command.done;
      ends.push_back(simulation_.now().ps());
    }
  }
  void start(const PeLocation& pe, std::vector<PeCommand::Work> works,
             std::vector<std::int64_t>& ends) {
    simulation_.spawn("kernel", kernel(cpu(pe), std::move(works), ends));
  }
  [[nodiscard]] std::string failure() {
    try {
      simulation_.run();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "none";
  }

  std::vector<std::int64_t> sent_;
  std::vector<std::int64_t> received_;
};

TEST_F(IpcqTest, ASendAndItsReceiveTakeEveryWireTheSlotAndTheTcm) {
  join(kLeft, kRight);
  start(kLeft, {IpcqSend{"E", 256}}, sent_);
  start(kRight, {IpcqRecv{"W", 256}}, received_);
  simulation_.run();

  constexpr std::int64_t kToIpcq = 32 + 2'000;
  constexpr std::int64_t kToDma = 32 + 2'000;
  constexpr std::int64_t kToCpu = 32 + 5'000;
  // A read of the TCM by the DMA: the request, the TCM's overhead and channel, the data.
  constexpr std::int64_t kTcmRead = 32 + 1'000 + 500 + 500;
  constexpr std::int64_t kTcmWrite = 500 + 1'000 + 500 + 32;
  const auto data = machine_.router().find_path("sip0.cube0.pe0", "sip0.cube0.pe1.pe_dma").edges;
  const std::int64_t taken = kToIpcq + kToDma + kTcmRead;
  // The first wire is 256 GB/s.
  EXPECT_THAT(sent_, ElementsAre(taken + 1'000 + kToIpcq + kToCpu));
  const std::int64_t in_slot = taken + message_time(data, 256) + kTcmWrite;
  EXPECT_THAT(received_, ElementsAre(in_slot + kToIpcq + kToDma + kTcmRead + kToIpcq + kToCpu));
}

TEST_F(IpcqTest, ASenderWaitsForACreditWhenAllSlotsAreTaken) {
  join(kLeft, kRight);
  start(kLeft, std::vector<PeCommand::Work>(5, IpcqSend{"E", 64}), sent_);
  EXPECT_THAT(failure(),
              HasSubstr("'sip0.cube0.pe0.pe_ipcq send' waits for an item in channel 'credits of "
                        "sip0.cube0.pe0.pe_ipcq for E'"));
  EXPECT_THAT(sent_, SizeIs(4));  // pe_ipcq.slots
}

TEST_F(IpcqTest, ACreditComesBackOverTheWiresWhenASlotHasBeenRead) {
  join(kLeft, kRight);
  start(kLeft, std::vector<PeCommand::Work>(6, IpcqSend{"E", 64}), sent_);
  start(kRight, std::vector<PeCommand::Work>(6, IpcqRecv{"W", 64}), received_);
  simulation_.run();
  EXPECT_THAT(sent_, SizeIs(6));
  EXPECT_THAT(received_, SizeIs(6));
  EXPECT_TRUE(std::is_sorted(received_.begin(), received_.end()));
  EXPECT_THAT(departures("sip0.cube0.pe0.pe_ipcq", "credit"), SizeIs(::testing::Ge(6)));
}

TEST_F(IpcqTest, DirectionsDoNotHoldEachOtherUp) {
  join(kLeft, kRight);
  start(kLeft, {IpcqSend{"E", 64}, IpcqRecv{"E", 128}}, sent_);
  start(kRight, {IpcqSend{"W", 128}, IpcqRecv{"W", 64}}, received_);
  simulation_.run();
  EXPECT_THAT(sent_, SizeIs(2));
  EXPECT_THAT(received_, SizeIs(2));
}

TEST_F(IpcqTest, AReceiveWithoutASendEndsInTheWaitForList) {
  join(kLeft, kRight);
  start(kRight, {IpcqRecv{"W", 64}}, received_);
  EXPECT_THAT(failure(), HasSubstr("'sip0.cube0.pe1.pe_ipcq receive' waits for an item in channel "
                                   "'slots of sip0.cube0.pe1.pe_ipcq from W'"));
}

TEST_F(IpcqTest, CrossesSipsThroughTheSwitch) {
  join({0, 0, 0}, {1, 0, 0}, "global_E", "global_W");
  start({0, 0, 0}, {IpcqSend{"global_E", 4096}}, sent_);
  start({1, 0, 0}, {IpcqRecv{"global_W", 4096}}, received_);
  simulation_.run();
  EXPECT_THAT(departures("fabric.switch0", "ipcq data"), SizeIs(1));
  EXPECT_THAT(departures("fabric.switch0", "credit"), SizeIs(1));
  EXPECT_GT(received_.at(0), sent_.at(0));
}

TEST_F(IpcqTest, RefusesWhatHasNoMeaning) {
  join(kLeft, kRight);
  const auto refuses = [&](PeCommand::Work work) {
    engine::Simulation simulation;
    Machine machine(simulation, default_graph(), {nullptr, &default_router()});
    install_neighbors(machine, {{kLeft, "E", kRight, "W"}});
    auto& pe = machine.component_as<PeCpu>(machine.pe_part(kLeft, NodeKind::PeCpu));
    PeCommand command("command", std::move(work));
    simulation.spawn("kernel", run_command(pe, command));
    try {
      simulation.run();
    } catch (const engine::ProcessError& error) {
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  EXPECT_THAT(refuses(IpcqSend{"N", 64}),
              HasSubstr("sip0.cube0.pe0.pe_ipcq has no neighbour 'N'; it has E"));
  EXPECT_THAT(refuses(IpcqSend{"E", 0}),
              HasSubstr("a send has 1 to 65536 bytes (pe_ipcq.slot_bytes), not 0"));
  EXPECT_THAT(refuses(IpcqRecv{"E", 65537}), HasSubstr("a receive has 1 to 65536 bytes"));
}

TEST_F(IpcqTest, AReceiveOfAnotherSizeThanTheSendIsAnError) {
  join(kLeft, kRight);
  start(kLeft, {IpcqSend{"E", 64}}, sent_);
  start(kRight, {IpcqRecv{"W", 128}}, received_);
  EXPECT_THAT(failure(), HasSubstr("sip0.cube0.pe1.pe_ipcq: a receive of 128 bytes from W meets a "
                                   "send of 64"));
}

TEST_F(IpcqTest, RefusesTablesThatCannotBe) {
  join(kLeft, kRight);
  const auto refuses = [&](const NeighborLink& link) {
    try {
      install_neighbors(machine_, {link});
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  EXPECT_EQ(refuses({kLeft, "E", {0, 0, 2}, "W"}),
            "sip0.cube0.pe0.pe_ipcq has a neighbour 'E' already");
  EXPECT_EQ(refuses({kLeft, "up", kRight, "W"}),
            "'up' is not a valid direction: use N, E, S, W, global_... or group.direction");
  EXPECT_EQ(refuses({kLeft, "N", kLeft, "S"}),
            "sip0.cube0.pe0.pe_ipcq cannot be its own neighbour");
  EXPECT_EQ(refuses({kLeft, "N", {0, 99, 0}, "S"}),
            "node sip0.cube99.pe0.pe_ipcq not found in topology");
}

TEST(PeIpcq, RingsThatDoNotFitIntoTheirMemoryAreRefused) {
  const topology::TopologyGraph graph = with_backing(SlotBacking::Tcm, 100);
  engine::Simulation simulation;
  Machine machine(simulation, graph);
  try {
    install_neighbors(machine, {{kLeft, "E", kRight, "W"}});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(
        error.what(),
        "sip0.cube0.pe0.pe_ipcq: 1 rings of 100 slots, 6553600 bytes in all, do not fit into the "
        "4194304 bytes that it has of sip0.cube0.pe0.pe_tcm");
  }
}

/// Returns the end time of a receive of 65,536 bytes with slots in this memory.
std::int64_t received_with(SlotBacking backing, const char* memory) {
  const topology::TopologyGraph graph = with_backing(backing);
  trace::HopTrace trace;
  engine::Simulation simulation;
  Machine machine(simulation, graph, {&trace});
  install_neighbors(machine, {{kLeft, "E", kRight, "W"}});
  PeCommand send("send", IpcqSend{"E", 65'536});
  PeCommand receive("receive", IpcqRecv{"W", 65'536});
  const auto run = [](PeCpu& pe, PeCommand& command) -> engine::Process {
    pe.start(command);
    co_await command.done;
  };
  simulation.spawn("a",
                   run(machine.component_as<PeCpu>(machine.pe_part(kLeft, NodeKind::PeCpu)), send));
  simulation.spawn(
      "b", run(machine.component_as<PeCpu>(machine.pe_part(kRight, NodeKind::PeCpu)), receive));
  simulation.run();
  std::vector<std::string_view> services;
  for (const trace::HopRecord& record : trace.records()) {
    if (graph.name(record.node) == memory) services.push_back(record.label.what);
  }
  EXPECT_THAT(services, ::testing::IsSupersetOf({"write", "read"})) << memory;
  return simulation.now().ps();
}

TEST(PeIpcq, SlotsLieInTheTcmTheSramOrTheSliceOfTheReceiver) {
  const std::int64_t tcm = received_with(SlotBacking::Tcm, "sip0.cube0.pe1.pe_tcm");
  const std::int64_t sram = received_with(SlotBacking::Sram, "sip0.cube0.sram");
  const std::int64_t hbm = received_with(SlotBacking::Hbm, "sip0.cube0.hbm_ctrl.pe1");
  EXPECT_LT(tcm, sram);
  EXPECT_LT(sram, hbm);
}

TEST_F(IpcqTest, WhatComesInPaysTheWireSoThatASendNeverOutpacesRawDma) {
  join(kLeft, kRight);
  constexpr std::uint64_t kBytes = 65'536;
  start(kLeft, {IpcqSend{"E", kBytes}}, sent_);
  start(kRight, {IpcqRecv{"W", kBytes}}, received_);
  simulation_.run();
  // The narrowest wire on the way is 256 GB/s.
  EXPECT_GT(received_.at(0), static_cast<std::int64_t>(kBytes) * 1000 / 256);
}

}  // namespace
}  // namespace kernbench::model::components

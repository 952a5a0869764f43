// SPDX-License-Identifier: Apache-2.0
// Critical paths of transactions on the default system, in exact picoseconds.
#include "model/trace/critical_path.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "model/components/machine/access_group.hpp"
#include "tests/model/components/machine_fixture.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::trace {
namespace {

using common::SimTime;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A machine that records causes.
class CriticalPathTest : public ::testing::Test, public components::AccessListener {
 protected:
  CriticalPathTest()
      : simulation_(recording()),
        machine_(*simulation_, components::default_graph(),
                 {nullptr, &components::default_router()}) {}

  static std::unique_ptr<engine::Simulation> recording() {
    auto simulation = std::make_unique<engine::Simulation>();
    simulation->record_causes();
    return simulation;
  }
  void submit(bool write, const char* pe, const char* slice, std::uint64_t bytes) {
    machine_.accesses().submit({write, machine_.router().find_path(pe, slice).edges, 0, bytes},
                               this);
  }
  void on_access_done(const components::AccessTimes& /*times*/) override {
    last_ = simulation_->cause();
  }
  /// Runs all accesses and returns the path of the last.
  CriticalPath path(std::int64_t start = 0) {
    simulation_->run();
    return find_critical_path(last_, SimTime::from_ps(start), simulation_->now());
  }
  /// Returns "ps text" of each share.
  static std::vector<std::string> texts(const CriticalPath& path) {
    std::vector<std::string> lines;
    for (const TimeShare& share : path.shares) {
      lines.push_back(
          fmt::format("{} {}", share.time.ps(), text_of(share, components::default_graph())));
    }
    return lines;
  }

  std::unique_ptr<engine::Simulation> simulation_;
  components::Machine machine_;
  engine::Cause last_;
};

constexpr const char* kPe = "sip0.cube0.pe0";
constexpr const char* kSlice = "sip0.cube0.hbm_ctrl.pe0";

constexpr const char* kOtherSlice = "sip0.cube0.hbm_ctrl.pe1";

/// Returns the lines, and those of read data from the end of the slice's wire to the PE.
std::vector<std::string> and_the_way_back(std::vector<std::string> lines) {
  lines.insert(lines.end(), {"5 read data: travel on a wire from hbm_ctrl "
                             "(sip0.cube0.hbm_ctrl.pe0 -> sip0.cube0.noc.r0c0)",
                             "1000 read data: overhead of router (sip0.cube0.noc.r0c0)",
                             "1000 read data: flits on a wire from router "
                             "(sip0.cube0.noc.r0c0 -> sip0.cube0.pe0.pe_dma)",
                             "5 read data: travel on a wire from router "
                             "(sip0.cube0.noc.r0c0 -> sip0.cube0.pe0.pe_dma)"});
  return lines;
}

TEST_F(CriticalPathTest, NamesEveryPicosecondOfARead) {
  submit(false, kPe, kSlice, 256);
  const CriticalPath found = path();
  EXPECT_EQ(found.time().ps(), 52'146);
  EXPECT_EQ(found.unnamed(), SimTime());
  EXPECT_EQ(texts(found),
            and_the_way_back({"2000 read request: overhead of pe_dma (sip0.cube0.pe0.pe_dma)",
                              "63 read request: flits on a wire from pe_dma "
                              "(sip0.cube0.pe0.pe_dma -> sip0.cube0.noc.r0c0)",
                              "5 read request: travel on a wire from pe_dma "
                              "(sip0.cube0.pe0.pe_dma -> sip0.cube0.noc.r0c0)",
                              "1000 read request: overhead of router (sip0.cube0.noc.r0c0)",
                              "63 read request: flits on a wire from router "
                              "(sip0.cube0.noc.r0c0 -> sip0.cube0.hbm_ctrl.pe0)",
                              "5 read request: travel on a wire from router "
                              "(sip0.cube0.noc.r0c0 -> sip0.cube0.hbm_ctrl.pe0)",
                              "30000 read: overhead of hbm_ctrl (sip0.cube0.hbm_ctrl.pe0)",
                              "16000 read: service by hbm_ctrl (sip0.cube0.hbm_ctrl.pe0)",
                              "1000 read data: flits on a wire from hbm_ctrl "
                              "(sip0.cube0.hbm_ctrl.pe0 -> sip0.cube0.noc.r0c0)"}));
}

TEST_F(CriticalPathTest, NamesTheMessageThatAWireIsBusyWith) {
  submit(true, kPe, kSlice, 1024);
  submit(true, kPe, kOtherSlice, 512);
  const CriticalPath found = path();
  EXPECT_EQ(found.unnamed(), SimTime());
  // Four flits of 256 bytes at 256 GB/s, then one of its own.
  const std::vector<std::string> lines = texts(found);
  EXPECT_EQ(lines.at(0), "2000 write data: overhead of pe_dma (sip0.cube0.pe0.pe_dma)");
  EXPECT_EQ(lines.at(1),
            "4000 write data: wait for a wire from pe_dma (sip0.cube0.pe0.pe_dma -> "
            "sip0.cube0.noc.r0c0) behind write data");
  EXPECT_EQ(lines.at(2),
            "1000 write data: wait for a wire from pe_dma (sip0.cube0.pe0.pe_dma -> "
            "sip0.cube0.noc.r0c0) behind own flits");
}

TEST_F(CriticalPathTest, NamesTheTransactionThatAChannelIsBusyWith) {
  submit(false, kPe, kSlice, 256);
  submit(false, kPe, kSlice, 256);
  // The second request arrived 63 ps later.
  EXPECT_THAT(texts(path()), ::testing::Contains("15937 read: wait for a channel of hbm_ctrl "
                                                 "(sip0.cube0.hbm_ctrl.pe0) behind read"));
}

TEST_F(CriticalPathTest, LeavesOutWhatWasBeforeItsStart) {
  submit(false, kPe, kSlice, 256);
  const CriticalPath found = path(50'000);
  EXPECT_EQ(found.time().ps(), 2'146);
  EXPECT_EQ(found.unnamed(), SimTime());
  EXPECT_EQ(found.steps, 1U);
  EXPECT_EQ(texts(found), and_the_way_back({"136 read data: flits on a wire from hbm_ctrl "
                                            "(sip0.cube0.hbm_ctrl.pe0 -> sip0.cube0.noc.r0c0)"}));
}

TEST_F(CriticalPathTest, AddsUpByComponentOperationPeAndLink) {
  submit(false, kPe, kSlice, 256);
  const CriticalPath found = path();
  const topology::TopologyGraph& graph = components::default_graph();
  const auto lines = [](const std::vector<PathPart>& parts) {
    std::vector<std::string> all;
    for (const PathPart& part : parts)
      all.push_back(fmt::format("{} {}", part.time.ps(), part.name));
    return all;
  };
  EXPECT_THAT(lines(found.by_operation()),
              ElementsAre("46000 read", "3136 read request", "3010 read data"));
  EXPECT_THAT(
      lines(found.by_limit(graph)),
      ElementsAre("34020 latency of messages and accesses", "16000 bandwidth of hbm_ctrl",
                  "1063 bandwidth of wires pe_to_router", "1000 bandwidth of wires hbm_to_router",
                  "63 bandwidth of wires router_to_hbm"));
  EXPECT_THAT(lines(found.by_pe(graph)),
              ElementsAre("49073 sip0.cube0.pe0", "3073 outside of PEs"));
  EXPECT_THAT(lines(found.by_link(graph)),
              ElementsAre("1005 sip0.cube0.noc.r0c0 -> sip0.cube0.pe0.pe_dma",
                          "1005 sip0.cube0.hbm_ctrl.pe0 -> sip0.cube0.noc.r0c0",
                          "68 sip0.cube0.pe0.pe_dma -> sip0.cube0.noc.r0c0",
                          "68 sip0.cube0.noc.r0c0 -> sip0.cube0.hbm_ctrl.pe0"));
  EXPECT_THAT(lines(found.by_component(graph)),
              ElementsAre("30000 overhead of hbm_ctrl", "16000 service by hbm_ctrl",
                          "2000 overhead of pe_dma", "2000 overhead of router",
                          "1063 flits on a wire from router", "1000 flits on a wire from hbm_ctrl",
                          "63 flits on a wire from pe_dma", "10 travel on a wire from router",
                          "5 travel on a wire from hbm_ctrl", "5 travel on a wire from pe_dma"));
}

engine::Process read_after_a_delay(components::Machine& machine, components::RoutedAccess access,
                                   engine::Cause& last) {
  co_await machine.simulation().delay(SimTime::from_ps(777));
  components::AccessGroup group(machine, "a read");
  group.submit(access);
  co_await group.done();
  last = machine.simulation().cause();
}

TEST_F(CriticalPathTest, CountsADelayWithoutAStep) {
  components::RoutedAccess access;
  access.route = &machine_.network().route(machine_.router().find_path(kPe, kSlice).edges);
  access.bytes = 256;
  simulation_->spawn("reader", read_after_a_delay(machine_, access, last_));
  const CriticalPath found = path();
  EXPECT_EQ(found.time().ps(), 777 + 52'146);
  EXPECT_EQ(found.unnamed().ps(), 777);
}

TEST_F(CriticalPathTest, WithoutRecordingThereIsNone) {
  EXPECT_THAT(find_critical_path(nullptr, SimTime(), SimTime::from_ps(5)).shares, IsEmpty());
}

TEST(CauseStep, AChainOfAMillionIsReleasedWithoutRecursion) {
  engine::Cause last;
  for (int i = 0; i < 1'000'000; ++i) {
    last = std::make_shared<engine::CauseStep>(std::move(last), SimTime::from_ps(i));
  }
  last.reset();
}

}  // namespace
}  // namespace kernbench::model::trace

// SPDX-License-Identifier: Apache-2.0
// Hop records of transactions that delay each other, in exact picoseconds.
#include "model/trace/hop_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "model/probe/probe.hpp"
#include "tests/model/components/machine_fixture.hpp"

namespace kernbench::model::trace {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class HopTraceTest : public components::MachineTest {
 protected:
  void submit(bool write, const char* pe, const char* slice, std::uint64_t bytes) {
    machine_.accesses().submit({write, machine_.router().find_path(pe, slice).edges, 0, bytes});
  }
  [[nodiscard]] std::vector<HopRecord> records(std::uint64_t transaction,
                                               std::string_view what) const {
    std::vector<HopRecord> found;
    for (const HopRecord& record : trace_.records()) {
      if (record.label.transaction == transaction && record.label.what == what) {
        found.push_back(record);
      }
    }
    return found;
  }
};

TEST_F(HopTraceTest, FollowsAReadFromNodeToNodeAndBack) {
  submit(false, "sip0.cube0.pe0", "sip0.cube0.hbm_ctrl.pe0", 256);
  simulation_.run();
  const std::vector<HopRecord> there = records(1, "read request");
  ASSERT_THAT(there, SizeIs(3));
  EXPECT_EQ(machine_.graph().name(there[0].node), "sip0.cube0.pe0.pe_dma");
  EXPECT_EQ(machine_.graph().name(there[1].node), "sip0.cube0.noc.r0c0");
  EXPECT_EQ(machine_.graph().name(there[2].node), "sip0.cube0.hbm_ctrl.pe0");
  // 2 ns DMA overhead, 63 ps serialization, 5 ps travel; 1 ns router overhead; and so on.
  EXPECT_EQ(there[0].arrive.ps(), 0);
  EXPECT_EQ(there[0].depart.ps(), 2'063);
  EXPECT_EQ(there[1].arrive.ps(), 2'068);
  EXPECT_EQ(there[1].depart.ps(), 3'131);
  EXPECT_EQ(there[2].arrive.ps(), 3'136);
  EXPECT_EQ(there[2].depart.ps(), 3'136);
  const std::vector<HopRecord> service = records(1, "read");
  ASSERT_THAT(service, SizeIs(1));
  EXPECT_EQ(service[0].arrive.ps(), 3'136);
  EXPECT_EQ(service[0].depart.ps(), 3'136 + 30'000 + 16'000);
  const std::vector<HopRecord> back = records(1, "read data");
  ASSERT_THAT(back, SizeIs(3));
  EXPECT_EQ(back[0].arrive, service[0].depart);
  EXPECT_EQ(back[2].depart, simulation_.now());
  for (const HopRecord& record : trace_.records()) EXPECT_EQ(record.why, WaitReason::None);
}

TEST_F(HopTraceTest, NamesTheTransactionThatHeldTheWireAndForHowLong) {
  submit(true, "sip0.cube0.pe0", "sip0.cube0.hbm_ctrl.pe0", 1024);
  submit(true, "sip0.cube0.pe0", "sip0.cube0.hbm_ctrl.pe1", 256);
  simulation_.run();
  const HopRecord second = records(2, "write data").at(0);
  EXPECT_EQ(second.why, WaitReason::WireBusy);
  EXPECT_EQ(second.behind, 1U);
  EXPECT_EQ(second.wait.ps(), 4'000);  // four flits of 256 bytes at 256 GB/s
  EXPECT_EQ(records(1, "write data").at(0).why,
            WaitReason::None);  // waits behind its own flits only
}

TEST_F(HopTraceTest, NamesTheTransactionThatHeldTheChannel) {
  submit(false, "sip0.cube0.pe0", "sip0.cube0.hbm_ctrl.pe0", 256);
  submit(false, "sip0.cube0.pe0", "sip0.cube0.hbm_ctrl.pe0", 256);
  simulation_.run();
  const HopRecord second = records(2, "read").at(0);
  EXPECT_EQ(second.why, WaitReason::ChannelBusy);
  EXPECT_EQ(second.behind, 1U);
  EXPECT_EQ(second.wait.ps(), 16'000 - 63);  // it arrived one request later
}

TEST_F(HopTraceTest, EveryHopBeginsWhereTheOneBeforeSentIt) {
  submit(false, "sip0.cube0.pe2", "sip0.cube9.hbm_ctrl.pe5", 5'000);
  submit(true, "sip0.cube1.pe3", "sip0.cube9.hbm_ctrl.pe5", 5'000);
  simulation_.run();
  for (const std::uint64_t transaction : {1U, 2U}) {
    for (const char* what : {"read request", "read data", "write data", "acknowledgement"}) {
      const std::vector<HopRecord> hops = records(transaction, what);
      for (std::size_t i = 1; i < hops.size(); ++i) {
        EXPECT_GT(hops[i].arrive, hops[i - 1].arrive);
        EXPECT_GE(hops[i].depart, hops[i - 1].depart);
      }
    }
  }
}

/// Runs a case of the probe and returns the hash of its trace.
std::uint64_t hash_of(std::size_t index) {
  const auto cases = probe::probe_cases(components::default_graph());
  HopTrace trace;
  (void)probe::run_probe(components::default_graph(), cases.at(index), 65'536, &trace);
  return trace.hash();
}

TEST(HopTraceHash, IsTheSameWithEveryCompilerAndInEveryThread) {
  EXPECT_EQ(hash_of(17), 13438565981109505752U);
  std::uint64_t other = 0;
  std::thread([&other] { other = hash_of(17); }).join();
  EXPECT_EQ(other, hash_of(17));
  EXPECT_NE(hash_of(16), hash_of(17));
}

TEST(HopTraceHash, DependsOnEveryFieldOfEveryRecordAndOnTheirOrder) {
  const HopRecord record{{1, "read"}, topology::NodeId(2), {}, {}, {}, 0, WaitReason::None};
  const auto hash = [](std::vector<HopRecord> records) {
    HopTrace trace;
    for (const HopRecord& each : records) trace.add(each);
    return trace.hash();
  };
  std::vector<HopRecord> others(8, record);
  others[0].label.transaction = 2;
  others[1].label.what = "write";
  others[2].node = topology::NodeId(3);
  others[3].arrive = common::SimTime::from_ps(1);
  others[4].depart = common::SimTime::from_ps(1);
  others[5].wait = common::SimTime::from_ps(1);
  others[6].behind = 1;
  others[7].why = WaitReason::WireBusy;
  for (const HopRecord& other : others) {
    EXPECT_NE(hash({other}), hash({record}));
    EXPECT_NE(hash({other, record}), hash({record, other}));
  }
}

TEST(HopTraceOff, AMachineWithoutATraceTakesTheSameTime) {
  const auto cases = probe::probe_cases(components::default_graph());
  HopTrace trace;
  for (const probe::ProbeCase& each : cases) {
    EXPECT_EQ(probe::run_probe(components::default_graph(), each, 4'096, &trace).actual,
              probe::run_probe(components::default_graph(), each, 4'096).actual);
  }
  EXPECT_THAT(trace.records(), ::testing::Not(IsEmpty()));
}

}  // namespace
}  // namespace kernbench::model::trace

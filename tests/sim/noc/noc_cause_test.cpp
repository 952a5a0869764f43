// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_cause.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "reference_noc.hpp"

namespace kernbench::sim {
namespace {

using common::Outcome;
using ::testing::ElementsAre;
using ::testing::SizeIs;

// Links of the line of three nodes: 0->1, 1->0, 1->2, 2->1, then the local ones of its nodes.
constexpr noc::Link kToLast = 2;

/// Runs a case on a line of three nodes whose model is broken, and looks for the cause.
class NocCauses : public ::testing::Test {
 protected:
  NocCause find(const NocCase& one, std::uint64_t cycles = 400'000) {
    const CaseResult failed = run_noc_case(one, *line_.bins, *create(), {}).result;
    EXPECT_EQ(failed.outcome, Outcome::Mismatch);
    return find_noc_cause(one, failed, *line_.bins, [&] { return create(); }, cycles, {});
  }
  [[nodiscard]] std::shared_ptr<NocDut> create() const {
    return std::make_shared<ReferenceNoc>(line_.device->network, tamper_());
  }

  ZooDevice line_{"BidirectionalLine(3)"};
  std::function<ReferenceNoc::Tamper()> tamper_;
};

TEST_F(NocCauses, AreTheFewestPacketsAfterWhichItFailsSo) {
  // The third head on a channel loses a bit.
  tamper_ = [this] {
    return [this, heads = std::make_shared<unsigned>(0)](std::uint64_t, NocOutputs& outputs) {
      if (outputs.valid[kToLast] == 0) return;
      if (!line_.device->network.is_head(outputs.flit[kToLast])) return;
      if (++*heads == 3) outputs.flit[kToLast] ^= noc::Flit{1} << 40U;
    };
  };
  NocCase one = {.name = "many", .cycles = 2000, .longest = 16};
  one.back_pressure = {.kind = BackPressure::Random, .ready_probability = 0.5};
  const NocCause cause = find(one);
  EXPECT_EQ(cause.why_not, "");
  EXPECT_TRUE(cause.ended);
  EXPECT_TRUE(cause.script.takes_all);
  ASSERT_THAT(cause.script.packets, SizeIs(3));
  for (const NocScriptPacket& packet : cause.script.packets) {
    EXPECT_THAT(packet.flits, SizeIs(1));
    EXPECT_EQ(line_.device->network.destination(packet.flits.front()), 2U);
  }
  EXPECT_EQ(cause.script.packets.front().at.front(), 0U);
  EXPECT_EQ(cause.failure.kind, "flit");
  const std::vector<std::string> text = cause_text(cause, *line_.device);
  ASSERT_THAT(text, SizeIs(4));
  EXPECT_THAT(text[0], testing::MatchesRegex(
                           "3 packets lead to it, with receivers that take every flit at once: "
                           "1->2: vc 0, 0x[0-9a-f]+, the reference has vc 0, 0x[0-9a-f]+"));
  EXPECT_THAT(text[1], testing::MatchesRegex("cycle 0: node [01] to node 2, 1 flit on vc 0"));
  // The same search finds the same.
  EXPECT_EQ(find(one).script, cause.script);
}

TEST_F(NocCauses, KeepTheReceiversThatTheFailureNeeds) {
  // A flit is lost if it waits: only slow receivers make flits wait for credits at port B.
  tamper_ = [] {
    return [silent = std::make_shared<unsigned>(0), busy = std::make_shared<unsigned>(0)](
               std::uint64_t, NocOutputs& outputs) {
      const bool valid = outputs.valid[4 + 2] != 0;
      if (valid && *busy >= 4 && *silent >= 8) outputs.flit[4 + 2] ^= noc::Flit{1} << 40U;
      *busy += valid ? 1 : 0;
      *silent = valid ? 0 : *silent + 1;
    };
  };
  NocCase one = {.name = "slow", .cycles = 3000};
  one.back_pressure = {.kind = BackPressure::Random, .ready_probability = 0.02};
  const NocCause cause = find(one);
  EXPECT_EQ(cause.why_not, "");
  EXPECT_LE(cause.script.packets.size(), 5U);
}

TEST_F(NocCauses, SayWhenTheirSearchWasCutShort) {
  tamper_ = [this] {
    return [this, heads = std::make_shared<unsigned>(0)](std::uint64_t, NocOutputs& outputs) {
      if (outputs.valid[kToLast] == 0) return;
      if (!line_.device->network.is_head(outputs.flit[kToLast])) return;
      if (++*heads == 40) outputs.valid[kToLast] = 0;
    };
  };
  const NocCause cause = find({.name = "many", .cycles = 2000}, 1000);
  EXPECT_FALSE(cause.ended);
  EXPECT_THAT(cause_text(cause, *line_.device).front(),
              testing::EndsWith(" (the search ended at its limit; fewer may do)"));
}

TEST_F(NocCauses, AreNotOfWhatResetsLeaveBehind) {
  // Wrong in the third cycle after a second reset, whatever users do.
  tamper_ = [] {
    return [](std::uint64_t cycle, NocOutputs& outputs) {
      if (cycle == 1500) outputs.credit[kToLast] ^= 1U;
    };
  };
  NocCase one = {.name = "resets", .cycles = 2000, .resets = 10};
  const NocCause cause = find(one);
  EXPECT_THAT(cause_text(cause, *line_.device),
              ElementsAre("no smaller run: it does not fail so after what the users have done "
                          "since the last reset"));
}

}  // namespace
}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
// The bins of the network's coverage: their number, what hits them, and what does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "sim/network/network_coverage.hpp"

namespace kernbench::network_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

std::vector<std::pair<std::string, std::uint64_t>> hits(const sim::NetworkCoverage& coverage) {
  std::vector<std::pair<std::string, std::uint64_t>> found;
  for (const sim::NetworkBins& bins : coverage.bins()) {
    if (bins.hit > 0) found.emplace_back(bins.name, bins.hit);
  }
  return found;
}

TEST(NetworkCoverage, HasTheBinsOfTheRequirements) {
  std::vector<std::pair<std::string, std::uint64_t>> bins;
  for (const sim::NetworkBins& group : sim::NetworkCoverage({.shape = {8, 8, 8}}).bins()) {
    bins.emplace_back(group.name, group.bins);
  }
  EXPECT_THAT(
      bins, ElementsAre(Pair("crosspoint, no failure", 64U * 78),
                        Pair("crosspoint, any network", 64U * 127),
                        Pair("levels meet", 64U * 15 * 3), Pair("failed corner", 64U * 49),
                        Pair("multicast", 64U * 3), Pair("back-pressure of 1,000 cycles", 64U * 2),
                        Pair("reset under traffic", 64U)));
}

TEST(NetworkCoverage, PacketsThroughAQueueCountInPlaceOfTheOtherBins) {
  sim::NetworkCoverage coverage({.shape = {2, 2, 8}});
  coverage.require_packets(7);
  // Both links of each node, then A.
  coverage.carried({7, 6, 8, 7, 0, 7, 7, 7}, {7, 7, 0, 9});
  EXPECT_THAT(hits(coverage), ElementsAre(Pair("packets", 9U)));
  EXPECT_EQ(coverage.bins().front().bins, 12U);
  EXPECT_THAT(coverage.holes(9), ElementsAre("packets: node 1, 7 through the queue of input 0",
                                             "packets: node 0, 7 through the queue of input 1",
                                             "packets: node 2, 7 through the queue of input 2"));
  // The whole has all that one case reached.
  sim::NetworkCoverage whole({.shape = {2, 2, 8}});
  whole.merge(coverage);
  EXPECT_EQ(whole.holes(9), coverage.holes(9));
}

/// A case with resets has the bins, but reaches none.
TEST(NetworkCoverage, PacketsThatNoCaseCarriedAreMissed) {
  sim::NetworkCoverage coverage({.shape = {2, 2, 8}});
  coverage.require_packets(1);
  EXPECT_EQ(coverage.holes(99).size(), 12U);
  coverage.deep() = sim::DeepBins::of_users({2, 2, 8});
  EXPECT_EQ(coverage.summary().groups.back().name, "packets");
  EXPECT_EQ(coverage.summary().groups.size(), coverage.deep()->groups().size() + 1);
}

TEST(NetworkCoverage, OnePacketHitsTheCrosspointsOfItsRoute) {
  const maze::NetworkConfig config{.shape = {4, 3, 8}};
  const maze::PacketLayout layout(config.shape);
  maze::NetworkModel model(config);
  maze::NetworkInputs inputs(config.shape);
  maze::NetworkOutputs outputs(config.shape);
  sim::NetworkCoverage coverage(config);
  EXPECT_THAT(hits(coverage), IsEmpty());
  inputs.in_ready[0] = ~std::uint64_t{0};
  inputs.out_valid[0] = 1;
  inputs.out_payload[0] = layout.encode({.src = layout.address(0), .tgt = layout.address(5)});
  for (int cycle = 0; cycle < 12; ++cycle) {
    model.evaluate(outputs);
    model.clock(inputs);
    coverage.sample(model);
    inputs.out_valid[0] = 0;
  }
  // A to X at node 0, X to Y at node 1, Y to B at node 5.
  EXPECT_THAT(hits(coverage),
              ElementsAre(Pair("crosspoint, no failure", 3U), Pair("crosspoint, any network", 3U)));
  EXPECT_THAT(coverage.holes(2),
              ElementsAre("crosspoint, no failure: node 1, input 5 to output 0",
                          "crosspoint, no failure: node 2, input 5 to output 0"));
}

TEST(NetworkCoverage, LevelsMeetWhenBothAskForAnOutput) {
  const maze::NetworkConfig config{.shape = {4, 3, 8}};
  const maze::PacketLayout layout(config.shape);
  maze::NetworkModel model(config);
  maze::NetworkInputs inputs(config.shape);
  maze::NetworkOutputs outputs(config.shape);
  sim::NetworkCoverage coverage(config);
  inputs.out_valid[0] = 1;  // B is not ready: packets to the own B wait
  for (unsigned cycle = 0; cycle < 12; ++cycle) {
    inputs.out_payload[0] = layout.encode({.qos = cycle % 2});
    model.evaluate(outputs);
    model.clock(inputs);
    coverage.sample(model);
  }
  EXPECT_THAT(hits(coverage),
              ElementsAre(Pair("crosspoint, no failure", 1U), Pair("crosspoint, any network", 1U),
                          Pair("levels meet", 1U)));
  coverage.reset(model);
  EXPECT_THAT(hits(coverage).back(), Pair("reset under traffic", 1U));
}

TEST(NetworkCoverage, ADeliveryRoundTheFailedNodeHitsItsCorner) {
  sim::NetworkCoverage coverage({.shape = {4, 3, 8}, .failed = 5});
  coverage.delivered(4, 9);  // source in the failed row, target in the failed column
  coverage.delivered(4, 9);
  coverage.delivered(7, 1);
  coverage.delivered(9, 4);  // not the other way round: X first, its corner is node 8
  coverage.delivered(0, 11);
  EXPECT_THAT(hits(coverage), ElementsAre(Pair("failed corner", 2U)));
  sim::NetworkCoverage without({.shape = {4, 3, 8}});
  without.delivered(4, 9);
  EXPECT_THAT(hits(without), IsEmpty());
}

TEST(NetworkCoverage, BackPressureCountsAfterThousandCyclesWithoutABreak) {
  sim::NetworkCoverage coverage({.shape = {2, 2, 8}});
  for (int cycle = 0; cycle < 999; ++cycle) coverage.stalled({0b0111});
  coverage.stalled({0b0101});
  EXPECT_THAT(hits(coverage), ElementsAre(Pair("back-pressure of 1,000 cycles", 2U)));
  for (int cycle = 0; cycle < 1000; ++cycle) coverage.stalled({0b1111});
  EXPECT_THAT(hits(coverage), ElementsAre(Pair("back-pressure of 1,000 cycles", 8U)));
}

TEST(NetworkCoverage, MergesTheHitsOfCases) {
  sim::NetworkCoverage coverage({.shape = {2, 2, 8}});
  sim::NetworkCoverage other({.shape = {2, 2, 8}});
  coverage.accepted(0, 1);
  other.accepted(0, 1);
  other.accepted(3, 3);
  other.accepted(2, 0);  // a unicast
  coverage.merge(other);
  EXPECT_THAT(hits(coverage), ElementsAre(Pair("multicast", 2U)));
}

}  // namespace
}  // namespace kernbench::network_test

// SPDX-License-Identifier: Apache-2.0
// The MAZE network from A to B: exact latencies, and every packet of drawn traffic, against an
// oracle that knows which B owes which packet and no routes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "common/random.hpp"
#include "network_bench.hpp"

namespace kernbench::network_test {
namespace {

/// Returns the IRS stages of the link to the node `hop` further in a ring of `nodes`.
unsigned depth(unsigned hop, unsigned nodes) {
  return std::min(hop, nodes - hop) - 1;
}

/// Returns the cycles of a packet that meets no other: 2 for each node and the stages of the links.
unsigned latency(unsigned from, unsigned to) {
  const unsigned dx = (to % kNx + kNx - from % kNx) % kNx;
  const unsigned dy = (to / kNx + kNy - from / kNx) % kNy;
  return 2 + (dx != 0 ? 2 + depth(dx, kNx) : 0) + (dy != 0 ? 2 + depth(dy, kNy) : 0);
}

/// Sends one packet and returns "node@cycles" of all deliveries, in order.
std::vector<std::string> deliveries(Network& network, const Packet& packet) {
  network.offer(packet.source, packet.bits());
  EXPECT_TRUE(network.accepts(packet.source));
  network.clock();
  network.withdraw(packet.source);
  std::vector<std::string> found;
  for (unsigned cycle = 1; cycle < 60; ++cycle) {
    for (unsigned node = 0; node < kNodes; ++node) {
      const std::optional<unsigned> bits = network.delivers(node);
      if (!bits) continue;
      EXPECT_EQ(Packet::kept(*bits), Packet::kept(packet.bits()));
      found.push_back(fmt::format("{}@{}", node, cycle));
    }
    network.clock();
  }
  EXPECT_EQ(network.difference(), "");
  return found;
}

TEST(MazeNetwork, AUnicastAloneTakesItsCycles) {
  Network network(1);
  for (unsigned from = 0; from < kNodes; ++from) {
    for (unsigned to = 0; to < kNodes; ++to) {
      EXPECT_THAT(deliveries(network, {Type::Unicast, (from + to) % 2 == 0, from, to, 0x5a}),
                  testing::ElementsAre(fmt::format("{}@{}", to, latency(from, to))))
          << from;
    }
  }
}

TEST(MazeNetwork, ADetourRoundAFailedNodeTakesNoLonger) {
  for (unsigned failed = 0; failed < kNodes; ++failed) {
    Network network(failed, failed);
    unsigned detours = 0;
    for (unsigned from = 0; from < kNodes; ++from) {
      for (unsigned to = 0; to < kNodes; ++to) {
        if (from == failed || to == failed) continue;
        detours += from / kNx == failed / kNx && to % kNx == failed % kNx ? 1 : 0;
        EXPECT_THAT(deliveries(network, {Type::Unicast, false, from, to, 0xa5}),
                    testing::ElementsAre(fmt::format("{}@{}", to, latency(from, to))))
            << from << ", failed " << failed;
      }
    }
    EXPECT_EQ(detours, (kNx - 1) * (kNy - 1));
  }
}

TEST(MazeNetwork, AMulticastAloneReachesEachNodeAtItsLatency) {
  Network network(2);
  for (const Type type : {Type::Column, Type::Row, Type::Broadcast}) {
    for (unsigned from = 0; from < kNodes; ++from) {
      for (unsigned to = 0; to < kNodes; ++to) {
        const Packet packet{type, to % 2 == 0, from, to, 1};
        std::vector<std::string> expected;
        for (const unsigned node : packet.named()) {
          expected.push_back(fmt::format("{}@{}", node, latency(from, node)));
        }
        EXPECT_THAT(deliveries(network, packet), testing::UnorderedElementsAreArray(expected));
      }
    }
  }
}

TEST(MazeNetwork, AMulticastWithAFailedNodeLeavesItOut) {
  for (unsigned failed = 0; failed < kNodes; ++failed) {
    Network network(failed, failed);
    for (const Type type : {Type::Column, Type::Row, Type::Broadcast}) {
      const unsigned from = (failed + 1) % kNodes;
      for (unsigned to = 0; to < kNodes; ++to) {
        const Packet packet{type, false, from, to, 3};
        std::vector<unsigned> expected;
        for (const unsigned node : packet.named()) {
          if (node != failed) expected.push_back(node);
        }
        // The copies leave A one a cycle, in the order of their nodes.
        std::vector<std::string> times;
        for (std::size_t i = 0; i < expected.size(); ++i) {
          times.push_back(fmt::format("{}@{}", expected[i], latency(from, expected[i]) + i));
        }
        EXPECT_THAT(deliveries(network, packet), testing::UnorderedElementsAreArray(times));
      }
    }
  }
}

TEST(MazeNetwork, ADifferenceFromTheModelIsFound) {
  Network network(3);
  network.cut_reference_off();
  network.offer(0, Packet{Type::Unicast, false, 0, 1, 7}.bits());
  network.clock();
  network.withdraw(0);
  for (int i = 0; i < 4; ++i) network.clock();
  EXPECT_EQ(network.difference(), "cycle 5: [0,0].x[0]: out_vld is 1, the reference has 0");
}

/// Drawn traffic of all nodes, checked against what each B owes.
class Traffic {
 public:
  Traffic(std::uint64_t seed, std::optional<unsigned> failed, bool stalls,
          const std::string& model = "4x3")
      : network_(seed, failed, model),
        rng_(common::Rng::stream(seed, "network")),
        failed_(failed),
        stalls_(stalls) {}

  /// Offers packets for `cycles`, then waits for all of them.
  void run(unsigned cycles) {
    for (unsigned cycle = 0; cycle < cycles + 2000; ++cycle) {
      const bool offers = cycle < cycles;
      const std::uint32_t ready = stalls_ && offers
                                      ? static_cast<std::uint32_t>(rng_.below(1U << kNodes))
                                      : (1U << kNodes) - 1;
      network_.set_ready(ready);
      for (unsigned node = 0; node < kNodes && offers; ++node) {
        if (node != failed_ && !offered_[node] && rng_.below(3) != 0) offer(node);
      }
      for (unsigned node = 0; node < kNodes; ++node) {
        if ((ready >> node & 1U) != 0) take(node);
      }
      std::vector<unsigned> accepted;
      for (unsigned node = 0; node < kNodes; ++node) {
        if (offered_[node] && network_.accepts(node)) accepted.push_back(node);
      }
      network_.clock();
      for (const unsigned node : accepted) accept(node);
    }
    EXPECT_EQ(network_.difference(), "");
    for (unsigned node = 0; node < kNodes; ++node) {
      EXPECT_FALSE(offered_[node]) << "node " << node << " accepts nothing any more";
      for (const auto& [bits, count] : owed_[node]) {
        EXPECT_EQ(count, 0) << fmt::format("node {} owes {:#x}", node, bits);
      }
    }
  }
  [[nodiscard]] std::uint64_t delivered() const { return delivered_; }

 private:
  void offer(unsigned node) {
    Packet packet;
    packet.type = rng_.below(4) != 0 ? Type::Unicast : static_cast<Type>(1 + rng_.below(3));
    packet.high = rng_.below(2) != 0;
    packet.source = node;
    do {
      packet.target = static_cast<unsigned>(rng_.below(kNodes));
    } while (packet.type == Type::Unicast && packet.target == failed_);
    packet.data = sent_[node]++ & 0xffU;
    offered_[node] = packet;
    network_.offer(node, packet.bits());
  }
  void accept(unsigned node) {
    const Packet packet = *offered_[node];
    for (const unsigned target : packet.named()) {
      if (target == failed_) continue;
      ++owed_[target][Packet::kept(packet.bits())];
      order_[{packet.source, target, packet.high, packet.type}].push_back(packet.data);
    }
    offered_[node].reset();
    network_.withdraw(node);
  }
  void take(unsigned node) {
    const std::optional<unsigned> bits = network_.delivers(node);
    if (!bits) return;
    ++delivered_;
    const unsigned source = (*bits >> 17U & 7U) * kNx + (*bits >> 14U & 7U);
    const auto type = static_cast<Type>(*bits >> 21U);
    std::deque<unsigned>& order = order_[{source, node, (*bits >> 20U & 1U) != 0, type}];
    EXPECT_EQ(--owed_[node][Packet::kept(*bits)], 0) << fmt::format("node {} {:#x}", node, *bits);
    ASSERT_FALSE(order.empty());
    // Packets of one source, target, type and level arrive in order.
    EXPECT_EQ(order.front(), *bits & 0xffU);
    order.pop_front();
  }

  Network network_;
  common::Rng rng_;
  std::optional<unsigned> failed_;
  bool stalls_;
  std::vector<std::optional<Packet>> offered_ = std::vector<std::optional<Packet>>(kNodes);
  std::vector<unsigned> sent_ = std::vector<unsigned>(kNodes);
  std::vector<std::map<unsigned, int>> owed_ = std::vector<std::map<unsigned, int>>(kNodes);
  std::map<std::tuple<unsigned, unsigned, bool, Type>, std::deque<unsigned>> order_;
  std::uint64_t delivered_ = 0;
};

TEST(MazeNetwork, DeliversAllTypesUnderBackPressure) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    Traffic traffic(seed, std::nullopt, seed % 2 == 0);
    traffic.run(1500);
    EXPECT_GT(traffic.delivered(), 5000U);
  }
}

TEST(MazeNetwork, DeliversAllTypesRoundEachFailedNode) {
  for (unsigned failed = 0; failed < kNodes; ++failed) {
    SCOPED_TRACE(failed);
    Traffic traffic(failed, failed, failed % 2 == 0);
    traffic.run(600);
    EXPECT_GT(traffic.delivered(), 2000U);
  }
}

TEST(MazeNetwork, OtherArbitersDeliverAllTypesToo) {
  for (const std::string model : {"4x3-bound", "4x3-fixed"}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE(fmt::format("{} {}", model, seed));
      Traffic traffic(seed, seed % 2 == 0 ? std::optional<unsigned>(seed) : std::nullopt, true,
                      model);
      traffic.run(1500);
      EXPECT_GT(traffic.delivered(), 3000U);
    }
  }
}

}  // namespace
}  // namespace kernbench::network_test

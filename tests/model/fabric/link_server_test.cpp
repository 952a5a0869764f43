// SPDX-License-Identifier: Apache-2.0
// The order in which a link moves packets, calculated by hand.
#include "model/fabric/analytic/link_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "common/random.hpp"

namespace kernbench::model::fabric {
namespace {

using ::testing::ElementsAre;
using Completion = std::pair<Edge, LinkServer::FlowId>;

/// Returns the flows in order of completion, up to and including edge `end`.
std::vector<Completion> completions(LinkServer& server, Edge end = 1000) {
  std::vector<Completion> result;
  while (const auto next = server.next_completion()) {
    if (*next > end) break;
    if (const auto flow = server.take_completed(*next)) result.emplace_back(*next, *flow);
  }
  return result;
}

TEST(LinkServer, MovesAPacketACycle) {
  LinkServer server;
  EXPECT_EQ(server.next_completion(), std::nullopt);
  server.add(7, Qos::Low, 1, 7, 5, 10);
  EXPECT_EQ(server.next_completion(), 15U);
  EXPECT_EQ(server.packets_moved(12), 2U);
  EXPECT_EQ(server.take_completed(14), std::nullopt);
  EXPECT_EQ(server.take_completed(15), 7U);
  EXPECT_EQ(server.next_completion(), std::nullopt);
  EXPECT_EQ(server.packets_moved(40), 5U);
}

TEST(LinkServer, LetsTwoTakeTurns) {
  LinkServer server;
  server.add(1, Qos::Low, 1, 1, 3, 0);  // edges 1, 3, 5
  server.add(2, Qos::Low, 2, 2, 5, 0);  // edges 2, 4, 6, 7, 8
  EXPECT_THAT(completions(server), ElementsAre(Completion{5, 1}, Completion{8, 2}));
}

TEST(LinkServer, StartsAfterInput0AsTheNodesDo) {
  LinkServer server;
  server.add(1, Qos::Low, 0, 1, 2, 0);  // edges 2, 4
  server.add(2, Qos::Low, 3, 2, 2, 0);  // edges 1, 3
  EXPECT_THAT(completions(server), ElementsAre(Completion{3, 2}, Completion{4, 1}));
}

TEST(LinkServer, LetsALateJoinerIntoTheRound) {
  LinkServer server;
  server.add(1, Qos::Low, 1, 1, 4, 0);  // edges 1, 2, then 4, 6
  server.add(2, Qos::Low, 2, 2, 3, 2);  // edges 3, 5, 7
  EXPECT_THAT(completions(server), ElementsAre(Completion{6, 1}, Completion{7, 2}));
}

TEST(LinkServer, GivesHighQosAllItWants) {
  LinkServer server;
  server.add(1, Qos::Low, 1, 1, 4, 0);   // edges 1, 2, then 6, 7
  server.add(2, Qos::High, 1, 2, 3, 2);  // edges 3, 4, 5
  EXPECT_THAT(completions(server), ElementsAre(Completion{5, 2}, Completion{7, 1}));
}

TEST(LinkServer, LetsFlowsOfOneInputFollowEachOther) {
  LinkServer server;
  server.add(1, Qos::Low, 1, 1, 2, 0);  // edges 1, 3
  server.add(2, Qos::Low, 1, 2, 2, 0);  // edges 5, 7
  server.add(3, Qos::Low, 2, 3, 4, 0);  // edges 2, 4, 6, 8
  EXPECT_THAT(completions(server),
              ElementsAre(Completion{3, 1}, Completion{7, 2}, Completion{8, 3}));
}

TEST(LinkServer, LetsAnEarlierTicketOfTheSameInputGoFirst) {
  LinkServer server;
  server.add(2, Qos::Low, 1, 2, 3, 0);  // edges 1, 4, 5
  server.add(3, Qos::Low, 1, 3, 1, 0);  // edge 6
  server.add(1, Qos::Low, 1, 1, 2, 1);  // edges 2, 3
  EXPECT_THAT(completions(server),
              ElementsAre(Completion{3, 1}, Completion{5, 2}, Completion{6, 3}));
}

TEST(LinkServer, ReturnsTheRemainingPacketsOfARemovedFlow) {
  LinkServer server;
  server.add(1, Qos::Low, 1, 1, 9, 0);
  server.add(2, Qos::Low, 2, 2, 9, 0);
  server.add(3, Qos::Low, 2, 3, 9, 0);
  EXPECT_EQ(server.remove(3, Qos::Low, 2, 4), 9U);  // always behind flow 2
  EXPECT_EQ(server.remove(2, Qos::Low, 2, 5), 7U);  // moved at edges 2 and 4
  EXPECT_EQ(server.remove(2, Qos::Low, 2, 5), 0U);
  EXPECT_THAT(completions(server), ElementsAre(Completion{11, 1}));  // 1, 3, 5, then 6 to 11
}

/// A LinkServer that moves packet by packet.
class SlowServer {
 public:
  void join(LinkServer::FlowId flow, Qos qos, LinkServer::Input input, std::uint64_t packets) {
    level(qos).waiting[input] = {flow, packets};
  }
  std::optional<LinkServer::FlowId> step() {
    Level& served = level(level(Qos::High).waiting.empty() ? Qos::Low : Qos::High);
    if (served.waiting.empty()) return std::nullopt;
    auto turn = served.waiting.upper_bound(served.last);
    if (turn == served.waiting.end()) turn = served.waiting.begin();
    served.last = turn->first;
    if (--turn->second.second != 0) return std::nullopt;
    const LinkServer::FlowId flow = turn->second.first;
    served.waiting.erase(turn);
    return flow;
  }
  bool has(Qos qos, LinkServer::Input input) { return level(qos).waiting.contains(input); }

 private:
  struct Level {
    std::map<LinkServer::Input, std::pair<LinkServer::FlowId, std::uint64_t>> waiting;
    LinkServer::Input last = 0;
  };
  Level& level(Qos qos) { return levels_[static_cast<std::size_t>(qos)]; }
  std::array<Level, 2> levels_;
};

TEST(LinkServer, EqualsOneThatMovesPacketByPacket) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    common::Rng rng = common::Rng::stream(seed, "link_server");
    LinkServer server;
    SlowServer slow;
    std::vector<Completion> expected;
    std::vector<Completion> got;
    LinkServer::FlowId flow = 0;
    for (Edge edge = 0; edge < 300; ++edge) {
      if (const auto done = slow.step()) expected.emplace_back(edge, *done);
      if (server.next_completion() == edge)
        got.emplace_back(edge, server.take_completed(edge).value());
      const Qos qos = static_cast<Qos>(rng.below(2));
      const auto input = static_cast<LinkServer::Input>(rng.below(8));
      if (rng.below(6) != 0 || edge > 200 || slow.has(qos, input)) continue;
      const std::uint64_t packets = 1 + rng.below(12);
      slow.join(flow, qos, input, packets);
      server.add(flow, qos, input, flow, packets, edge);
      ++flow;
    }
    EXPECT_EQ(got, expected) << "seed " << seed;
    EXPECT_GT(got.size(), 10U);
  }
}

}  // namespace
}  // namespace kernbench::model::fabric

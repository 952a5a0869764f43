// SPDX-License-Identifier: Apache-2.0
// Collectors of whole runs, shown cycles made by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "hand_made_cycle.hpp"
#include "sim/check/delivery.hpp"
#include "sim/check/link_counter.hpp"
#include "sim/check/output_hash.hpp"

namespace kernbench::sim {
namespace {

using maze::Shape;

constexpr Shape kCollected{4, 3, 8};

const topology::MazeLinks& collected_links() {
  static const topology::MazeLinks links(kCollected.nx, kCollected.ny);
  return links;
}

std::uint64_t hash_of(const std::function<void(HandMadeCycle& cycle)>& fill) {
  HandMadeCycle cycle(kCollected);
  fill(cycle);
  OutputHash hash(kCollected);
  hash.on_cycle(cycle.view(0));
  return hash.value();
}

TEST(OutputHash, DiffersForEveryValidReadyAndDeliveredPacketOfEveryLink) {
  std::set<std::uint64_t> hashes = {hash_of([](HandMadeCycle&) {})};
  std::size_t different = 1;
  for (const topology::MazeLink& link : collected_links().links()) {
    hashes.insert(hash_of([&](HandMadeCycle& cycle) { cycle.offer(link, 0); }));
    hashes.insert(hash_of([&](HandMadeCycle& cycle) {
      cycle.outputs.out_ready.set(link.from.port, link.from.node);
    }));
    for (unsigned bit = 0; bit < kCollected.payload_w(); ++bit) {
      hashes.insert(
          hash_of([&](HandMadeCycle& cycle) { cycle.receive(link, maze::Payload{1} << bit); }));
    }
    different += 2 + kCollected.payload_w();
  }
  EXPECT_EQ(hashes.size(), different);
}

TEST(OutputHash, IgnoresPacketsThatAreNotDelivered) {
  const topology::MazeLink& link = collected_links().leaving(2, 1);
  EXPECT_EQ(hash_of([&](HandMadeCycle& cycle) { cycle.offer(link, 1); }),
            hash_of([&](HandMadeCycle& cycle) { cycle.offer(link, 2); }));
}

TEST(LinkCounter, CountsPacketsAndStallsOfEachLinkByItsReceivingEnd) {
  LinkCounter counter(kCollected);
  const topology::MazeLink& moving = collected_links().leaving(2, 1);
  const topology::MazeLink& stalled = collected_links().leaving(3, 4);
  for (unsigned i = 0; i < 1000; ++i) {
    HandMadeCycle cycle(kCollected);
    cycle.receive(moving, i);
    if (i % 4 != 0) cycle.offer(stalled, 7);
    counter.on_cycle(cycle.view(i));
  }
  for (const topology::MazeLink& link : collected_links().links()) {
    const std::size_t at = std::size_t{link.to.port} * kCollected.nodes() + link.to.node;
    EXPECT_EQ(counter.packets()[at], link.to == moving.to ? 1000U : 0U);
    EXPECT_EQ(counter.stalls()[at], link.to == stalled.to ? 750U : 0U);
  }
}

TEST(Delivery, ReportsEachLinkThatDeliveredNothing) {
  maze::BitPlane used(kCollected);
  for (const topology::MazeLink& link : collected_links().links()) {
    used.set(link.from.port, link.from.node);
  }
  for (const topology::MazeLink& idle : collected_links().links()) {
    Delivery delivery(kCollected, collected_links(), used, used);
    HandMadeCycle cycle(kCollected);
    for (const topology::MazeLink& link : collected_links().links()) {
      if (link.to != idle.to) cycle.receive(link, 0);
    }
    delivery.on_cycle(cycle.view(0));
    delivery.after({StopReason::Drained, 1});
    ASSERT_EQ(delivery.failures().size(), 1U);
    EXPECT_EQ(delivery.failures().front().link, (LinkEnd{idle.from.node, idle.from.port}));
    EXPECT_EQ(delivery.unreached_text(), "");
  }
}

TEST(Delivery, NamesLinksOnWhichNothingWasSentAndDoesNotAccuseThem) {
  maze::BitPlane used(kCollected);
  for (const topology::MazeLink& link : collected_links().links()) {
    used.set(link.from.port, link.from.node);
  }
  const maze::BitPlane reached(kCollected);
  Delivery delivery(kCollected, collected_links(), used, reached);
  const topology::MazeLink& seen = collected_links().links().front();
  HandMadeCycle cycle(kCollected);
  cycle.receive(seen, 0);
  delivery.on_cycle(cycle.view(0));
  delivery.after({StopReason::Drained, 1});
  EXPECT_TRUE(delivery.failures().empty());
  const std::size_t links = collected_links().links().size();
  EXPECT_EQ(delivery.unreached_text(),
            fmt::format("{} of {} links, on which nothing was sent; the first is {}", links - 1,
                        links, collected_links().link_name(collected_links().links()[1])));
}

}  // namespace
}  // namespace kernbench::sim

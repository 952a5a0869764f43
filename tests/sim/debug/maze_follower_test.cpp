// SPDX-License-Identifier: Apache-2.0
// Packets on their way through a network and through TOPO, cycle by cycle, with signals set by
// hand.
#include "sim/debug/maze_follower.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "maze/packet_layout.hpp"
#include "sim/debug/way_map.hpp"
#include "tests/sim/wrapped_dut.hpp"

namespace kernbench::sim {
namespace {

using maze::Payload;
using ::testing::ElementsAre;

constexpr maze::Shape k3x2{3, 2, 8};
constexpr std::size_t kLinks = 6;  // places of the links begin behind the nodes

/// Shows cycles to a follower.
class Followed {
 public:
  explicit Followed(bool network, std::optional<unsigned> failed = std::nullopt)
      : network_(network), follower_(dut_, config(failed), network, 0) {}

  maze::TopoInputs in{k3x2, 1};
  maze::TopoOutputs out{k3x2, 1};
  LinkSignals links{k3x2};

  /// Shows a cycle, and takes all valid and ready signals back.
  void cycle(bool in_reset = false) {
    CycleView view;
    view.cycle = cycle_++;
    view.in_reset = in_reset;
    view.driven = network_ ? &in : &links.from_nodes;
    view.observed = network_ ? &out : &links.to_nodes;
    view.links = network_ ? &links : nullptr;
    follower_.on_cycle(view);
    for (maze::BitPlane* plane :
         {&in.out_valid, &in.in_ready, &out.out_ready, &out.in_valid, &links.from_nodes.out_valid,
          &links.from_nodes.in_ready, &links.to_nodes.out_ready, &links.to_nodes.in_valid}) {
      plane->clear();
    }
  }
  void offer_at_a(unsigned node, Payload packet, bool ready) {
    in.out_valid.set(0, node);
    in.out_payload.at(0, node) = packet;
    out.out_ready.set(0, node, ready);
  }
  void deliver_at_b(unsigned node, Payload packet) {
    out.in_valid.set(0, node);
    out.in_payload.at(0, node) = packet;
    in.in_ready.set(0, node);
  }
  void enter_link(unsigned port, unsigned node, Payload packet, bool ready = true) {
    links.from_nodes.out_valid.set(port, node);
    links.from_nodes.out_payload.at(port, node) = packet;
    links.to_nodes.out_ready.set(port, node, ready);
  }
  void leave_link(unsigned port, unsigned node, Payload packet) {
    links.to_nodes.in_valid.set(port, node);
    links.to_nodes.in_payload.at(port, node) = packet;
    links.from_nodes.in_ready.set(port, node);
  }
  [[nodiscard]] std::vector<PacketStay> stays() const { return follower_.log().between(0, 20); }

 private:
  static maze::NetworkConfig config(std::optional<unsigned> failed) {
    maze::NetworkConfig config;
    config.shape = k3x2;
    config.failed = failed;
    return config;
  }
  bool network_;
  WrappedDut dut_{k3x2};
  MazeFollower follower_;
  std::uint64_t cycle_ = 0;
};

TEST(MazeFollower, FollowsAPacketFromAToB) {
  Followed run(true);
  run.offer_at_a(0, 7, false);
  run.cycle();
  run.offer_at_a(0, 7, true);
  run.cycle();
  run.enter_link(0, 0, 7, false);  // waits at the output
  run.cycle();
  run.enter_link(0, 0, 7);
  run.cycle();
  run.leave_link(0, 1, 7);
  run.cycle();
  run.cycle();
  run.deliver_at_b(1, 7);
  run.cycle();
  EXPECT_THAT(run.stays(), ElementsAre(PacketStay{0, 7, 0, 2}, PacketStay{kLinks, 7, 3, 4},
                                       PacketStay{1, 7, 5, 6}));
  EXPECT_EQ(maze_place_name(k3x2, 1), "[0,1]");
  EXPECT_EQ(maze_place_name(k3x2, kLinks), "[0,0].x[0] -> [0,1].x[0]");
}

TEST(MazeFollower, KeepsALostPacketInItsNode) {
  Followed run(true);
  run.offer_at_a(2, 7, true);
  run.cycle();
  run.cycle();
  EXPECT_THAT(run.stays(), ElementsAre(PacketStay{2, 7, 0, 20}));
}

TEST(MazeFollower, ShowsAPacketThatChangesOnALinkAsTwo) {
  Followed run(false);
  run.enter_link(0, 0, 7, false);
  run.cycle();
  run.enter_link(0, 0, 7);
  run.cycle();
  run.leave_link(0, 1, 6);
  run.cycle();
  EXPECT_THAT(run.stays(), ElementsAre(PacketStay{0, 7, 0, 0}, PacketStay{kLinks, 7, 1, 2},
                                       PacketStay{kLinks, 6, 2, 2}));
}

TEST(MazeFollower, KeepsAMulticastUntilTheLastOfItsUnicasts) {
  const maze::PacketLayout layout(k3x2);
  Followed run(true, 5);
  const Payload broadcast = layout.encode({3, 0, layout.address(0), layout.address(0), 0x5a});
  const auto copy = [&](unsigned node) {
    return layout.encode({3, 0, layout.address(0), layout.address(node), 0x5a});
  };
  run.offer_at_a(0, broadcast, true);
  run.cycle();
  run.enter_link(0, 0, copy(1));
  run.cycle();
  run.cycle();
  run.enter_link(1, 0, copy(2));
  run.cycle();
  const std::vector<PacketStay> stays = run.stays();
  ASSERT_FALSE(stays.empty());
  EXPECT_EQ(stays.front(), (PacketStay{0, broadcast, 0, 2}));
}

TEST(MazeFollower, ForgetsAllInAReset) {
  Followed run(true);
  run.offer_at_a(0, 7, true);
  run.cycle();
  run.cycle(/*in_reset=*/true);
  run.cycle();
  EXPECT_THAT(run.stays(), ElementsAre(PacketStay{0, 7, 0, 0}));
}

}  // namespace
}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
// The way of a packet is that on which the reference moves it.
#include "sim/wave/packet_way.hpp"

#include <gtest/gtest.h>

#include "maze/packet_layout.hpp"

namespace kernbench::sim {
namespace {

// Node 5 is [1,1]. X port k leads k + 1 columns to the right, Y port 3 + k as many rows down.
constexpr maze::Shape k4x3{4, 3, 8};
constexpr unsigned kUser = k4x3.ports();

maze::Payload of_type(unsigned type, unsigned from, unsigned to) {
  const maze::PacketLayout layout(k4x3);
  return layout.encode(
      {.type = type, .qos = 0, .src = layout.address(from), .tgt = layout.address(to), .data = 7});
}

using Way = std::vector<WayNode>;

TEST(PacketWay, OfAUnicastGoesAlongXThenAlongY) {
  EXPECT_EQ(way_of({k4x3}, of_type(0, 5, 11), 11), (Way{{5, kUser, 1}, {7, 1, 3}, {11, 3, kUser}}));
  EXPECT_EQ(way_of({k4x3}, of_type(0, 5, 9), 9), (Way{{5, kUser, 3}, {9, 3, kUser}}));
  EXPECT_EQ(way_of({k4x3}, of_type(0, 5, 5), 5), (Way{{5, kUser, kUser}}));
}

TEST(PacketWay, OfAMulticastIsThatOfOneCopy) {
  EXPECT_EQ(way_of({k4x3}, of_type(3, 5, 0), 11), (Way{{5, kUser, 1}, {7, 1, 3}, {11, 3, kUser}}));
  EXPECT_EQ(way_of({k4x3}, of_type(1, 5, 7), 3), (Way{{5, kUser, 1}, {7, 1, 4}, {3, 4, kUser}}));
}

TEST(PacketWay, GoesRoundAFailedNode) {
  maze::NetworkConfig config{k4x3};
  config.failed = 7;
  EXPECT_EQ(way_of(config, of_type(0, 5, 11), 11), (Way{{5, kUser, 3}, {9, 3, 1}, {11, 1, kUser}}));
  EXPECT_EQ(way_of(config, of_type(3, 5, 0), 11), (Way{{5, kUser, 3}, {9, 3, 1}, {11, 1, kUser}}));
}

TEST(PacketWay, IsEmptyWhereThePacketDoesNotGo) {
  EXPECT_EQ(way_of({k4x3}, of_type(0, 5, 11), 10), Way{});
  const maze::PacketLayout layout(k4x3);
  const maze::Payload outside = layout.encode({.src = 4, .tgt = 0});  // column 4
  EXPECT_EQ(way_of({k4x3}, outside, 0), Way{});
}

}  // namespace
}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#include "maze/packet_layout.hpp"

#include <gtest/gtest.h>

namespace kernbench::maze {
namespace {

constexpr Shape kSignOff{8, 8, 8};

TEST(PacketLayout, PutsTheFieldsOfTheSignOffPacketWhereTheRequirementsSay) {
  const PacketLayout layout(kSignOff);
  // [22:21] type, [20] qos, [19:14] src, [13:8] tgt, [7:0] data
  EXPECT_EQ(layout.encode({3, 0, 0, 0, 0}), 0x600000U);
  EXPECT_EQ(layout.encode({0, 1, 0, 0, 0}), 0x100000U);
  EXPECT_EQ(layout.encode({0, 0, 0x3f, 0, 0}), 0x0fc000U);
  EXPECT_EQ(layout.encode({0, 0, 0, 0x3f, 0}), 0x003f00U);
  EXPECT_EQ(layout.encode({0, 0, 0, 0, 0xff}), 0x0000ffU);
  EXPECT_EQ(layout.packet_mask(), 0x7fffffU);
}

TEST(Shape, MasksTheNodesOfEachWord) {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  EXPECT_EQ(Shape({3, 5, 8}).node_mask(0), 0x7fffU);
  EXPECT_EQ(kSignOff.node_mask(0), kAll);
  EXPECT_EQ(Shape({9, 9, 8}).node_mask(0), kAll);
  EXPECT_EQ(Shape({9, 9, 8}).node_mask(1), 0x1ffffU);
  EXPECT_EQ(Shape({16, 16, 8}).node_mask(3), kAll);
}

TEST(PacketLayout, DecodesWhatItEncodesForEveryAddressWidth) {
  for (const Shape& shape : {Shape{8, 8, 8}, Shape{2, 3, 1}, Shape{16, 9, 32}}) {
    const PacketLayout layout(shape);
    const PacketFields fields{2, 1, layout.address(shape.nodes() - 1), layout.address(1), 1};
    EXPECT_EQ(layout.decode(layout.encode(fields)), fields);
  }
}

TEST(PacketLayout, AddressesANodeByRowThenColumn) {
  EXPECT_EQ(PacketLayout(kSignOff).address(28), 28U);           // [3,4]
  EXPECT_EQ(PacketLayout({3, 3, 8}).address(5), 1U << 3 | 2U);  // [1,2], 3 bits each
  EXPECT_EQ(PacketLayout({16, 2, 8}).address(31), 1U << 4 | 15U);
}

TEST(PacketLayout, WritesAPacketInOneLine) {
  EXPECT_EQ(PacketLayout(kSignOff).text(0x100000 | 28 << 14 | 29 << 8 | 0x5a),
            "type=0 qos=1 src=[3,4] tgt=[3,5] data=0x5a");
  EXPECT_EQ(PacketLayout({8, 8, 12}).text(7), "type=0 qos=0 src=[0,0] tgt=[0,0] data=0x007");
}

}  // namespace
}  // namespace kernbench::maze

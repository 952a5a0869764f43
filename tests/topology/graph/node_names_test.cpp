// SPDX-License-Identifier: Apache-2.0
// Names of nodes and blocks, taken apart.
#include "topology/graph/node_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernbench::topology::node_names {
namespace {

using ::testing::ElementsAre;

TEST(NodeNamesApart, NumbersOfAPlaceAreThoseThatMadeIt) {
  EXPECT_THAT(*numbers_of("sip1.cube15.pe7"), ElementsAre(1, 15, 7));
  EXPECT_THAT(*numbers_of("sip0"), ElementsAre(0));
  EXPECT_TRUE(numbers_of("")->empty());
  const std::vector<std::uint32_t> numbers = {3, 12, 5};
  EXPECT_EQ(place(numbers), pe(3, 12, 5));
  EXPECT_EQ(place({}), "");
  for (const char* other : {"sip", "sip01", "sip1.", "sip1.pe2", "cube1", "sip1.cube2.pe3.pe_dma",
                            "sip1.io0", "fabric.switch0", "sip99999999999", "sip-1"}) {
    EXPECT_EQ(numbers_of(other), std::nullopt) << other;
  }
  EXPECT_THROW((void)place(std::vector<std::uint32_t>(4)), std::invalid_argument);
}

TEST(NodeNamesApart, BlocksContainOneAnother) {
  EXPECT_EQ(block_of("sip0.cube3.pe1"), "sip0.cube3");
  EXPECT_EQ(block_of("sip0"), "");
  EXPECT_TRUE(is_inside("sip0.cube3.pe1", "sip0"));
  EXPECT_FALSE(is_inside("sip0.cube31", "sip0.cube3"));
  EXPECT_FALSE(is_inside("sip0", "sip0"));
  EXPECT_EQ(place_around("sip0.cube3.noc.r0c4"), "sip0.cube3");
  EXPECT_EQ(place_around("sip0.cube3.pe1.pe_dma"), "sip0.cube3.pe1");
  EXPECT_EQ(place_around("sip0.io0.pcie_ep"), "sip0");
  EXPECT_EQ(place_around("fabric.switch0"), "");
}

TEST(NodeNamesApart, PartsAreThoseBetweenTheDots) {
  EXPECT_THAT(parts_of("sip0.cube3.pe1"), ElementsAre("sip0", "cube3", "pe1"));
  EXPECT_EQ(last_parts("sip0.cube3.pe1", 1), "pe1");
  EXPECT_EQ(last_parts("sip0.cube3.pe1", 2), "cube3.pe1");
  EXPECT_EQ(last_parts("sip0.cube3.pe1", 3), "sip0.cube3.pe1");
  EXPECT_EQ(last_parts("sip0.cube3.pe1", 9), "sip0.cube3.pe1");
  EXPECT_EQ(last_parts("sip0", 0), "");
}

}  // namespace
}  // namespace kernbench::topology::node_names

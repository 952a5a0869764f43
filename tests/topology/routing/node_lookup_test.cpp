// SPDX-License-Identifier: Apache-2.0
#include "topology/routing/node_lookup.hpp"

#include <gtest/gtest.h>

#include <string>

#include "topology/graph/compile.hpp"

namespace kernbench::topology {
namespace {

class NearestNodeTest : public ::testing::Test {
 protected:
  std::string nearest(std::string_view name) { return nearest_node(graph_, name).value_or("none"); }

  TopologyGraph graph_ = compile_topology({});
};

TEST_F(NearestNodeTest, CorrectsEachPartOfAName) {
  EXPECT_EQ(nearest("sip0.cube0.srma"), "sip0.cube0.sram");
  EXPECT_EQ(nearest("sip0.cube3.mcpu"), "sip0.cube3.m_cpu");
  EXPECT_EQ(nearest("spi1.cub12.hbm_ctl.pe7"), "sip1.cube12.hbm_ctrl.pe7");
}

TEST_F(NearestNodeTest, FindsAGroupOfNodes) {
  EXPECT_EQ(nearest("sip0.cube0.ep3"), "sip0.cube0.pe3");
}

TEST_F(NearestNodeTest, ReturnsNothingForANameThatExistsOrThatIsFarFromAll) {
  EXPECT_EQ(nearest("sip0.cube0.sram"), "none");
  EXPECT_EQ(nearest("sip0.cube0.pe3"), "none");
  EXPECT_EQ(nearest("nowhere"), "none");
  EXPECT_EQ(nearest("sip0.cube0.nothing"), "none");
  EXPECT_EQ(nearest(""), "none");
  EXPECT_EQ(nearest(std::string(100'000, 's')), "none");
}

}  // namespace
}  // namespace kernbench::topology

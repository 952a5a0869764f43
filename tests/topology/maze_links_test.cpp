// SPDX-License-Identifier: Apache-2.0
#include "topology/maze_links.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace kernbench::topology {
namespace {

constexpr unsigned kX = 0;
constexpr unsigned kY = 7;  // the first y port of an 8x8 torus

TEST(MazeLinks, LeadsWhereTheExamplesOfTheRequirementsSay) {
  const MazeLinks links(8, 8);
  struct Example {
    unsigned port, y, x, depth;
  };
  const unsigned source = links.node_at(3, 4);
  for (const Example& e :
       {Example{kX + 0, 3, 5, 0}, Example{kX + 1, 3, 6, 1}, Example{kX + 6, 3, 3, 0},
        Example{kY + 0, 4, 4, 0}, Example{kY + 1, 5, 4, 1}, Example{kY + 6, 2, 4, 0}}) {
    const MazeLink expected{.from = {.node = 28, .port = e.port},
                            .to = {.node = e.y * 8 + e.x, .port = e.port},
                            .depth = e.depth};
    EXPECT_EQ(links.leaving(source, e.port), expected) << links.port_name(e.port);
  }
}

TEST(MazeLinks, HasTheTotalsOfTheSignOffConfiguration) {
  const MazeLinks links(8, 8);
  EXPECT_EQ(links.links().size(), 896U);
  EXPECT_EQ(links.total_stages(), 1152U);
  EXPECT_EQ(links.wires(), 256U);
}

TEST(MazeLinks, DepthRisesToTheFarSideOfTheRingAndFallsAgain) {
  const MazeLinks links(8, 8);
  for (unsigned node = 0; node < links.nodes(); ++node) {
    std::vector<unsigned> x;
    std::vector<unsigned> y;
    for (unsigned i = 0; i < 7; ++i) {
      x.push_back(links.leaving(node, kX + i).depth);
      y.push_back(links.leaving(node, kY + i).depth);
    }
    EXPECT_THAT(x, testing::ElementsAre(0, 1, 2, 3, 2, 1, 0));
    EXPECT_THAT(y, testing::ElementsAre(0, 1, 2, 3, 2, 1, 0));
  }
}

TEST(MazeLinks, HasTheDepthsOfAnOddRing) {
  const MazeLinks links(5, 7);
  std::vector<unsigned> depths;
  for (unsigned p = 0; p < links.ports(); ++p) depths.push_back(links.leaving(0, p).depth);
  EXPECT_THAT(depths, testing::ElementsAre(0, 1, 1, 0, 0, 1, 2, 2, 1, 0));
}

TEST(MazeLinks, WrapsAroundFromTheLastNodeToTheFirst) {
  const MazeLinks links(8, 3);
  EXPECT_EQ(links.leaving(23, 0).to, (MazePort{.node = 16, .port = 0}));
  EXPECT_EQ(links.leaving(23, 7).to, (MazePort{.node = 7, .port = 7}));
  EXPECT_EQ(links.leaving(0, 8).to, (MazePort{.node = 16, .port = 8}));
}

class MazeLinksOfShape : public testing::TestWithParam<std::pair<unsigned, unsigned>> {
 protected:
  MazeLinks links_{GetParam().first, GetParam().second};
};

TEST_P(MazeLinksOfShape, ReachEveryInputPortExactlyOnce) {
  std::set<std::pair<unsigned, unsigned>> reached;
  for (unsigned node = 0; node < links_.nodes(); ++node) {
    for (unsigned port = 0; port < links_.ports(); ++port) {
      const MazeLink& link = links_.leaving(node, port);
      EXPECT_EQ(link.from, (MazePort{.node = node, .port = port}));
      EXPECT_EQ(link.to.port, port);
      EXPECT_TRUE(reached.insert({link.to.node, link.to.port}).second) << links_.link_name(link);
      EXPECT_EQ(links_.arriving(link.to.node, link.to.port), link);
    }
  }
  EXPECT_EQ(reached.size(), std::size_t{links_.nodes()} * links_.ports());
}

TEST_P(MazeLinksOfShape, JoinEveryNodeToEveryOtherOfItsRowAndColumn) {
  for (unsigned node = 0; node < links_.nodes(); ++node) {
    std::set<unsigned> reached;
    for (unsigned port = 0; port < links_.ports(); ++port) {
      const unsigned to = links_.leaving(node, port).to.node;
      reached.insert(to);
      if (port < links_.x_ports()) {
        EXPECT_EQ(links_.y_of(to), links_.y_of(node));
      } else {
        EXPECT_EQ(links_.x_of(to), links_.x_of(node));
      }
    }
    EXPECT_EQ(reached.size(), links_.ports());
    EXPECT_EQ(reached.count(node), 0U);
  }
}

TEST_P(MazeLinksOfShape, AreAsDeepInBothDirectionsBetweenTwoNodes) {
  for (const MazeLink& link : links_.links()) {
    const unsigned ports = link.from.port < links_.x_ports() ? links_.x_ports() : links_.ports();
    const unsigned first = link.from.port < links_.x_ports() ? 0 : links_.x_ports();
    const MazeLink& back = links_.leaving(link.to.node, first + ports - 1 - link.from.port);
    EXPECT_EQ(back.to.node, link.from.node) << links_.link_name(link);
    EXPECT_EQ(back.depth, link.depth) << links_.link_name(link);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, MazeLinksOfShape,
                         testing::Values(std::pair{8U, 8U}, std::pair{8U, 3U}, std::pair{2U, 2U},
                                         std::pair{16U, 16U}, std::pair{5U, 7U}),
                         [](const auto& shape) {
                           return std::to_string(shape.param.first) + "x" +
                                  std::to_string(shape.param.second);
                         });

TEST(MazeLinks, CountsStagesAndWiresOfOtherShapes) {
  EXPECT_EQ(MazeLinks(2, 2).links().size(), 8U);
  EXPECT_EQ(MazeLinks(2, 2).total_stages(), 0U);
  EXPECT_EQ(MazeLinks(2, 2).wires(), 8U);
  EXPECT_EQ(MazeLinks(8, 3).links().size(), 216U);
  EXPECT_EQ(MazeLinks(8, 3).total_stages(), 216U);
  EXPECT_EQ(MazeLinks(8, 3).wires(), 96U);
  EXPECT_EQ(MazeLinks(16, 16).links().size(), 7680U);
  EXPECT_EQ(MazeLinks(16, 16).total_stages(), 25088U);
  EXPECT_EQ(MazeLinks(16, 16).wires(), 1024U);
  EXPECT_EQ(MazeLinks(5, 7).total_stages(), 280U);
}

TEST(MazeLinks, NamesEndsAndLinksByCoordinates) {
  const MazeLinks links(8, 8);
  const MazeLink& link = links.leaving(28, 6);
  EXPECT_EQ(links.port_name(6), "x[6]");
  EXPECT_EQ(links.port_name(7), "y[0]");
  EXPECT_EQ(links.coordinates(28), "[3,4]");
  EXPECT_EQ(links.end_name(link.from), "node 28 (y=3,x=4) x[6]");
  EXPECT_EQ(links.end_name(links.leaving(28, 13).to), "node 20 (y=2,x=4) y[6]");
  EXPECT_EQ(links.link_name(link), "[3,4].x[6] -> [3,3].x[6]");
}

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(MazeLinks, RefusesSidesOutsideTheirRange) {
  EXPECT_THROW(MazeLinks(1, 8), std::invalid_argument);
  EXPECT_THROW(MazeLinks(8, 17), std::invalid_argument);
  EXPECT_THROW(MazeLinks(0, 0), std::invalid_argument);
  EXPECT_EQ(message_of([] { MazeLinks(17, 8); }), "a MAZE Topo has 2..16 nodes a side, not 17x8");
}

TEST(MazeLinks, RefusesPortsThatDoNotExist) {
  const MazeLinks links(8, 3);
  EXPECT_THROW(static_cast<void>(links.leaving(24, 0)), std::out_of_range);
  EXPECT_EQ(message_of([&] { static_cast<void>(links.arriving(23, 9)); }),
            "no port 9 of node 23 in a 8x3 MAZE Topo");
}

}  // namespace
}  // namespace kernbench::topology

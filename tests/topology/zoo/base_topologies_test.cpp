// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "channel_sets.hpp"
#include "topology/maze_links.hpp"
#include "topology/zoo/base/butterfly.hpp"
#include "topology/zoo/base/flattened_butterfly.hpp"
#include "topology/zoo/base/line_topology.hpp"
#include "topology/zoo/base/mesh_2d.hpp"
#include "topology/zoo/base/torus_1d.hpp"
#include "topology/zoo/base/torus_2d.hpp"
#include "topology/zoo/base/tree.hpp"

namespace kernbench::topology::zoo {
namespace {

// The rules below repeat those of Constellation, as conditions on a pair of nodes.

int difference(std::uint32_t a, std::uint32_t b) {
  return static_cast<int>(a) - static_cast<int>(b);
}

TEST(UnidirectionalLine, JoinsEachNodeToTheNextOnly) {
  EXPECT_EQ(text_of(UnidirectionalLine(4)), "0->1 1->2 2->3");
  for (const std::uint32_t n : {1U, 2U, 7U}) {
    EXPECT_EQ(UnidirectionalLine(n).channels(),
              channels_by(n, [](auto src, auto dst) { return difference(dst, src) == 1; }));
  }
}

TEST(BidirectionalLine, JoinsNeighboursBothWays) {
  EXPECT_EQ(text_of(BidirectionalLine(4)), "0->1 1->0 1->2 2->1 2->3 3->2");
  for (const std::uint32_t n : {1U, 2U, 7U}) {
    EXPECT_EQ(BidirectionalLine(n).channels(), channels_by(n, [](auto src, auto dst) {
                return std::abs(difference(dst, src)) == 1;
              }));
  }
}

TEST(UnidirectionalTorus1D, FollowsConstellationsRule) {
  EXPECT_EQ(text_of(UnidirectionalTorus1D(4)), "0->1 1->2 2->3 3->0");
  EXPECT_EQ(text_of(UnidirectionalTorus1D(2)), "0->1 1->0");
  for (const std::uint32_t n : {2U, 3U, 9U}) {
    EXPECT_EQ(UnidirectionalTorus1D(n).channels(),
              channels_by(n, [n](auto src, auto dst) { return (dst + n - src) % n == 1; }));
  }
}

TEST(BidirectionalTorus1D, JoinsNeighboursOnTheRingBothWays) {
  EXPECT_EQ(text_of(BidirectionalTorus1D(4)), "0->1 0->3 1->0 1->2 2->1 2->3 3->0 3->2");
  for (const std::uint32_t n : {2U, 3U, 9U}) {
    EXPECT_EQ(BidirectionalTorus1D(n).channels(), channels_by(n, [n](auto src, auto dst) {
                return (dst + n - src) % n == 1 || (src + n - dst) % n == 1;
              }));
  }
}

TEST(BidirectionalTorus1D, OfTwoNodesHasOneChannelEachWay) {
  EXPECT_EQ(text_of(BidirectionalTorus1D(2)), "0->1 1->0");
}

TEST(Mesh2D, JoinsNodesAtDistanceOne) {
  EXPECT_EQ(text_of(Mesh2D(2, 2)), "0->1 0->2 1->0 1->3 2->0 2->3 3->1 3->2");
  for (const auto& [nx, ny] : {std::pair{4U, 3U}, {3U, 4U}, {1U, 5U}, {5U, 1U}, {1U, 1U}}) {
    const std::uint32_t side = nx;
    EXPECT_EQ(Mesh2D(nx, ny).channels(), channels_by(nx * ny, [side](auto src, auto dst) {
                return std::abs(difference(src % side, dst % side)) +
                           std::abs(difference(src / side, dst / side)) ==
                       1;
              }));
  }
}

TEST(UnidirectionalTorus2D, GoesRoundTowardsGreaterCoordinates) {
  EXPECT_EQ(text_of(UnidirectionalTorus2D(3, 2)),
            "0->1 0->3 1->2 1->4 2->0 2->5 3->0 3->4 4->1 4->5 5->2 5->3");
  for (const auto& [nx, ny] : {std::pair{4U, 3U}, {2U, 2U}, {2U, 5U}}) {
    const std::uint32_t x_side = nx;
    const std::uint32_t y_side = ny;
    EXPECT_EQ(UnidirectionalTorus2D(nx, ny).channels(),
              channels_by(nx * ny, [x_side, y_side](auto src, auto dst) {
                const auto dx = (dst % x_side + x_side - src % x_side) % x_side;
                const auto dy = (dst / x_side + y_side - src / x_side) % y_side;
                return dx + dy == 1;
              }));
  }
}

TEST(BidirectionalTorus2D, GoesRoundBothWays) {
  for (const auto& [nx, ny] : {std::pair{4U, 3U}, {2U, 2U}, {2U, 5U}, {5U, 4U}}) {
    const std::uint32_t x_side = nx;
    const std::uint32_t y_side = ny;
    EXPECT_EQ(BidirectionalTorus2D(nx, ny).channels(),
              channels_by(nx * ny, [x_side, y_side](auto src, auto dst) {
                const auto dx = (dst % x_side + x_side - src % x_side) % x_side;
                const auto dy = (dst / x_side + y_side - src / x_side) % y_side;
                return std::min(dx, x_side - dx) + std::min(dy, y_side - dy) == 1;
              }));
  }
  EXPECT_EQ(BidirectionalTorus2D(4, 3).channels().size(), 48U);
  // On a side of two nodes, there is one channel each way, not two.
  EXPECT_EQ(text_of(BidirectionalTorus2D(2, 2)), text_of(Mesh2D(2, 2)));
}

TEST(FlattenedButterfly, JoinsAllOfARowAndAllOfAColumn) {
  EXPECT_EQ(text_of(FlattenedButterfly(3, 2)),
            "0->1 0->2 0->3 1->0 1->2 1->4 2->0 2->1 2->5 "
            "3->0 3->4 3->5 4->1 4->3 4->5 5->2 5->3 5->4");
  for (const auto& [nx, ny] : {std::pair{4U, 4U}, {1U, 6U}, {6U, 1U}, {5U, 3U}}) {
    const std::uint32_t side = nx;
    EXPECT_EQ(FlattenedButterfly(nx, ny).channels(), channels_by(nx * ny, [side](auto s, auto d) {
                return s != d && (s % side == d % side || s / side == d / side);
              }));
  }
}

TEST(FlattenedButterfly, IsTheMazeTopo) {
  const MazeLinks maze(8, 8);
  std::vector<Channel> links;
  for (const MazeLink& link : maze.links()) links.push_back({link.from.node, link.to.node});
  std::sort(links.begin(), links.end());
  EXPECT_EQ(FlattenedButterfly(8, 8).channels(), links);
  EXPECT_EQ(links.size(), 896U);
}

TEST(BidirectionalTree, NumbersLevelByLevel) {
  EXPECT_EQ(text_of(BidirectionalTree(2, 2)),
            "0->1 0->2 1->0 1->3 1->4 2->0 2->5 2->6 3->1 4->1 5->2 6->2");
  EXPECT_EQ(text_of(BidirectionalTree(1, 3)), "0->1 0->2 0->3 1->0 2->0 3->0");
  EXPECT_EQ(BidirectionalTree(0, 2).n_nodes(), 1U);
  EXPECT_EQ(BidirectionalTree(3, 2).n_nodes(), 15U);
  EXPECT_EQ(BidirectionalTree(3, 4).n_nodes(), 85U);  // 1 + 4 + 16 + 64
}

TEST(BidirectionalTree, JoinsEachNodeToItsChildren) {
  for (const auto& [height, d_ary] : {std::pair{3U, 2U}, {2U, 4U}, {4U, 3U}}) {
    const BidirectionalTree tree(height, d_ary);
    const std::uint32_t d = d_ary;
    EXPECT_EQ(tree.channels(), channels_by(tree.n_nodes(), [d](auto src, auto dst) {
                const bool down = dst > d * src && dst <= d * src + d;
                const bool up = src > d * dst && src <= d * dst + d;
                return down || up;
              }));
  }
}

TEST(Butterfly, OfTwoByThreeIsTheTextbooks) {
  EXPECT_EQ(text_of(Butterfly(2, 3)),
            "0->4 0->5 1->4 1->5 2->6 2->7 3->6 3->7 "
            "4->8 4->10 5->9 5->11 6->8 6->10 7->9 7->11");
}

TEST(Butterfly, OfTwoStagesJoinsEveryRowToEveryRow) {
  EXPECT_EQ(text_of(Butterfly(3, 2)), "0->3 0->4 0->5 1->3 1->4 1->5 2->3 2->4 2->5");
}

/// Constellation's own construction: strings of n digits, the least significant first. Between
/// stage i-1 and stage i, digits 0 and i are swapped; the row is the string without digit 0.
std::vector<Channel> butterfly_by_strings(std::uint32_t k, std::uint32_t n) {
  const auto power = [k](std::uint32_t exponent) {
    std::uint32_t result = 1;
    for (std::uint32_t i = 0; i < exponent; ++i) result *= k;
    return result;
  };
  const auto row_of = [&](const std::vector<std::uint32_t>& digits) {
    std::uint32_t row = 0;
    for (std::uint32_t i = 1; i < n; ++i) row += digits[i] * power(i - 1);
    return row;
  };
  std::vector<Channel> channels;
  for (std::uint32_t i = 1; i < n; ++i) {
    for (std::uint32_t string = 0; string < power(n); ++string) {
      std::vector<std::uint32_t> digits;
      for (std::uint32_t j = 0; j < n; ++j) digits.push_back(string / power(j) % k);
      const std::uint32_t from = (i - 1) * power(n - 1) + row_of(digits);
      std::swap(digits[0], digits[i]);
      channels.push_back({from, i * power(n - 1) + row_of(digits)});
    }
  }
  std::sort(channels.begin(), channels.end());
  return channels;
}

TEST(Butterfly, FollowsConstellationsConstruction) {
  for (const auto& [k, n] : {std::pair{2U, 2U}, {2U, 3U}, {2U, 5U}, {3U, 3U}, {4U, 3U}, {5U, 2U}}) {
    EXPECT_EQ(Butterfly(k, n).channels(), butterfly_by_strings(k, n)) << k << "," << n;
  }
  EXPECT_EQ(Butterfly(2, 3).rows(), 4U);
  EXPECT_EQ(Butterfly(4, 3).n_nodes(), 48U);
}

std::vector<TopologyPtr> one_of_each() {
  return {std::make_shared<UnidirectionalLine>(5),
          std::make_shared<BidirectionalLine>(5),
          std::make_shared<UnidirectionalTorus1D>(5),
          std::make_shared<BidirectionalTorus1D>(5),
          std::make_shared<Mesh2D>(4, 3),
          std::make_shared<UnidirectionalTorus2D>(4, 3),
          std::make_shared<BidirectionalTorus2D>(4, 3),
          std::make_shared<FlattenedButterfly>(4, 3),
          std::make_shared<BidirectionalTree>(3, 2),
          std::make_shared<Butterfly>(2, 3)};
}

TEST(BaseTopology, ConnectsExactlyWhereThereIsAChannel) {
  for (const TopologyPtr& topology : one_of_each()) {
    EXPECT_EQ(connected_pairs(*topology), topology->channels()) << topology->name();
    EXPECT_FALSE(topology->connects(topology->n_nodes(), 0)) << topology->name();
    EXPECT_FALSE(topology->connects(0, topology->n_nodes())) << topology->name();
  }
}

TEST(BaseTopology, NumbersItsChannelsInTheirOrder) {
  for (const TopologyPtr& topology : one_of_each()) {
    for (std::uint32_t i = 0; i < topology->channels().size(); ++i) {
      const Channel& channel = topology->channels()[i];
      EXPECT_EQ(topology->find_channel(channel.src, channel.dst), i);
    }
    std::uint32_t index = 0;
    for (std::uint32_t node = 0; node < topology->n_nodes(); ++node) {
      EXPECT_EQ(topology->first_channel_from(node), index);
      for (const Channel& channel : topology->channels_from(node)) {
        EXPECT_EQ(channel.src, node);
        ++index;
      }
    }
    EXPECT_EQ(index, topology->channels().size());
  }
}

TEST(BaseTopology, HasANameWithItsParameters) {
  std::string names;
  for (const TopologyPtr& topology : one_of_each()) names += topology->name() + " ";
  EXPECT_EQ(names,
            "UnidirectionalLine(5) BidirectionalLine(5) UnidirectionalTorus1D(5) "
            "BidirectionalTorus1D(5) Mesh2D(4,3) UnidirectionalTorus2D(4,3) "
            "BidirectionalTorus2D(4,3) FlattenedButterfly(4,3) BidirectionalTree(3,2) "
            "Butterfly(2,3) ");
}

TEST(BaseTopology, RefusesSizesThatMakeNoSense) {
  EXPECT_EQ(refusal_of([] { UnidirectionalLine{0}; }),
            "UnidirectionalLine(0): 'n' must be at least 1, not 0");
  EXPECT_EQ(refusal_of([] { BidirectionalLine{0}; }),
            "BidirectionalLine(0): 'n' must be at least 1, not 0");
  EXPECT_EQ(refusal_of([] { UnidirectionalTorus1D{1}; }),
            "UnidirectionalTorus1D(1): 'n' must be at least 2, not 1");
  EXPECT_EQ(refusal_of([] { BidirectionalTorus1D{1}; }),
            "BidirectionalTorus1D(1): 'n' must be at least 2, not 1");
  EXPECT_EQ(refusal_of([] { Mesh2D(0, 3); }), "Mesh2D(0,3): 'nx' must be at least 1, not 0");
  EXPECT_EQ(refusal_of([] { Mesh2D(3, 0); }), "Mesh2D(3,0): 'ny' must be at least 1, not 0");
  EXPECT_EQ(refusal_of([] { UnidirectionalTorus2D(1, 3); }),
            "UnidirectionalTorus2D(1,3): 'nx' must be at least 2, not 1");
  EXPECT_EQ(refusal_of([] { BidirectionalTorus2D(3, 1); }),
            "BidirectionalTorus2D(3,1): 'ny' must be at least 2, not 1");
  EXPECT_EQ(refusal_of([] { FlattenedButterfly(0, 1); }),
            "FlattenedButterfly(0,1): 'nx' must be at least 1, not 0");
  EXPECT_EQ(refusal_of([] { BidirectionalTree(2, 1); }),
            "BidirectionalTree(2,1): 'd_ary' must be at least 2, not 1");
  EXPECT_EQ(refusal_of([] { Butterfly(1, 3); }),
            "Butterfly(1,3): 'k_ary' must be at least 2, not 1");
  EXPECT_EQ(refusal_of([] { Butterfly(2, 1); }),
            "Butterfly(2,1): 'n_fly' must be at least 2, not 1");
}

TEST(BaseTopology, RefusesWhatIsTooLarge) {
  EXPECT_EQ(Mesh2D(256, 256).n_nodes(), kMaxNodes);
  EXPECT_EQ(refusal_of([] { Mesh2D(257, 256); }), "Mesh2D(257,256) has more than 65536 nodes");
  EXPECT_EQ(refusal_of([] { UnidirectionalLine{65537}; }),
            "UnidirectionalLine(65537) has more than 65536 nodes");
  EXPECT_EQ(refusal_of([] { FlattenedButterfly(256, 256); }),
            "FlattenedButterfly(256,256) has more than 4194304 channels");
  // Sizes whose products overflow any integer type.
  EXPECT_EQ(refusal_of([] { BidirectionalTree(4294967295U, 4294967295U); }),
            "BidirectionalTree(4294967295,4294967295) has more than 65536 nodes");
  EXPECT_EQ(refusal_of([] { Butterfly(4294967295U, 4294967295U); }),
            "Butterfly(4294967295,4294967295) has more than 65536 nodes");
  EXPECT_EQ(refusal_of([] { Mesh2D(4294967295U, 4294967295U); }),
            "Mesh2D(4294967295,4294967295) has more than 65536 nodes");
  EXPECT_EQ(refusal_of([] { FlattenedButterfly(4294967295U, 4294967295U); }),
            "FlattenedButterfly(4294967295,4294967295) has more than 65536 nodes");
}

}  // namespace
}  // namespace kernbench::topology::zoo

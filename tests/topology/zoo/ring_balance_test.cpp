// SPDX-License-Identifier: Apache-2.0
// Uniform traffic loads the channels of rings and tori alike, and both of their virtual channels.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "topology/zoo/base/torus_2d.hpp"
#include "topology/zoo/routing/dependency_check.hpp"
#include "topology/zoo/routing/dimension_order.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/zoo_export.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::topology::zoo {
namespace {

/// The routes that use each channel, by virtual channel: [channel][vc].
using Loads = std::vector<std::vector<std::uint64_t>>;

Loads loads_of(const RoutingRelation& relation) {
  const BaseTopology& topology = relation.topology();
  Loads loads(topology.channels().size(), std::vector<std::uint64_t>(relation.n_vcs(), 0));
  for (std::uint32_t src = 0; src < topology.n_nodes(); ++src) {
    for (std::uint32_t dst = 0; dst < topology.n_nodes(); ++dst) {
      if (src == dst) continue;
      for (const Hop& hop : preferred_route(relation, src, dst)) ++loads.at(hop.channel).at(hop.vc);
    }
  }
  return loads;
}

struct Range {
  std::uint64_t least = UINT64_MAX;
  std::uint64_t most = 0;
  friend bool operator==(const Range&, const Range&) = default;
};
std::ostream& operator<<(std::ostream& out, const Range& range) {
  return out << range.least << ".." << range.most;
}

/// Returns the least and the largest load of the channels along rows and along columns.
std::pair<Range, Range> ranges(const BaseTopology& topology, const Loads& loads, std::uint32_t nx) {
  Range along_x;
  Range along_y;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const Channel& channel = topology.channels()[i];
    Range& range = channel.src / nx == channel.dst / nx ? along_x : along_y;
    std::uint64_t load = 0;
    for (const std::uint64_t of_vc : loads[i]) load += of_vc;
    range.least = std::min(range.least, load);
    range.most = std::max(range.most, load);
  }
  return {along_x, along_y};
}

std::pair<Range, Range> ranges_of(const std::string& text, std::uint32_t nx) {
  const TopologyPtr topology = parse_zoo_text(text);
  return ranges(*topology, loads_of(*natural_routing(*topology)), nx);
}

TEST(RingBalance, LoadsAllChannelsOfADimensionAlike) {
  // A ring of k has k * k / 4 hops each way for each of the routes of the other dimension; / k.
  using Sides = std::pair<std::uint32_t, std::uint32_t>;
  for (const auto& [nx, ny] : {Sides{8, 8}, Sides{4, 4}, Sides{6, 6}, Sides{10, 4}, Sides{6, 8},
                               Sides{5, 5}, Sides{4, 3}, Sides{3, 8}, Sides{7, 6}, Sides{12, 2}}) {
    const std::string text = fmt::format("BidirectionalTorus2D({},{})", nx, ny);
    const auto [along_x, along_y] = ranges_of(text, nx);
    // Routes of distance 1..(k-1)/2 go both ways, and of the k / 2 hops of a tie half go each.
    const auto hops = [](std::uint32_t k) {
      return k % 2 == 0 ? k * k / 4.0 / 2.0 : (k * k - 1) / 4.0 / 2.0;
    };
    // Both directions of a ring of two are one channel.
    const double x_load = hops(nx) * ny * (nx == 2 ? 2 : 1);
    const double y_load = hops(ny) * nx * (ny == 2 ? 2 : 1);
    if (nx % 4 != 2 || ny % 2 == 0 || nx == 2) {
      EXPECT_EQ(along_x.least, along_x.most) << text;
      EXPECT_EQ(along_x.least, x_load) << text;
    }
    if (ny % 4 != 2 || nx % 2 == 0 || ny == 2) {
      EXPECT_EQ(along_y.least, along_y.most) << text;
      EXPECT_EQ(along_y.least, y_load) << text;
    }
  }
}

TEST(RingBalance, MissesItByOneRouteWhereHalfARouteIsNeeded) {
  // 1 + 2 hops each way, and 3 hops of every other tie: 4 or 5 of 4.5 in the mean.
  EXPECT_EQ(ranges_of("BidirectionalTorus1D(6)", 6).first, (Range{4, 5}));
  EXPECT_EQ(ranges_of("BidirectionalTorus2D(6,3)", 6).first, (Range{13, 14}));
  EXPECT_EQ(ranges_of("BidirectionalTorus2D(3,6)", 3).second, (Range{13, 14}));
}

TEST(RingBalance, HoldsForTheOtherOrder) {
  const BidirectionalTorus2D torus(6, 8);
  const DimensionOrderRouting yx(torus, torus.grid(), DimensionStep::ShortestRing,
                                 DimensionOrder::YX);
  EXPECT_TRUE(check_routing(yx).passed());
  const auto [along_x, along_y] = ranges(torus, loads_of(yx), 6);
  EXPECT_EQ(along_x, (Range{36, 36}));
  EXPECT_EQ(along_y, (Range{48, 48}));
}

TEST(RingBalance, LoadsEveryChannelOfOneWayRingsAlike) {
  EXPECT_EQ(ranges_of("UnidirectionalTorus1D(7)", 7).first, (Range{21, 21}));
  const auto [along_x, along_y] = ranges_of("UnidirectionalTorus2D(4,6)", 4);
  EXPECT_EQ(along_x, (Range{6 * 6, 6 * 6}));
  EXPECT_EQ(along_y, (Range{4 * 15, 4 * 15}));
}

TEST(RingBalance, LoadsBothVirtualChannels) {
  const auto of_vcs = [](const std::string& text) {
    const TopologyPtr topology = parse_zoo_text(text);
    std::vector<std::uint64_t> sums(2, 0);
    for (const auto& of_channel : loads_of(*natural_routing(*topology))) {
      for (std::size_t vc = 0; vc < 2; ++vc) sums[vc] += of_channel.at(vc);
    }
    return sums;
  };
  // A ring of 8 up has before the dateline 1 + 3 + 6 hops, and half of the ten of the ties; to the
  // coordinates 1..4 another 4 + 6 + 6, and half of the four of the ties. That is 33 of 64 hops,
  // times 2 directions, 8 rings, 8 routes of the other dimension and 2 dimensions.
  EXPECT_THAT(of_vcs("BidirectionalTorus2D(8,8)"), testing::ElementsAre(31 * 256, 33 * 256));
  // Before the dateline 1 + 3 + 6 hops; 0 to 1, 0 to 2 and 1 to 2 have four. The other ten are on
  // 0.
  EXPECT_THAT(of_vcs("UnidirectionalTorus1D(4)"), testing::ElementsAre(10, 14));
}

}  // namespace
}  // namespace kernbench::topology::zoo

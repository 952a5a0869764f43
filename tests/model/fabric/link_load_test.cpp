// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/link_load.hpp"

#include "cycle_fabric.hpp"

namespace kernbench::model::fabric {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr maze::Shape k2x2{2, 2, 8};  // node n: outputs 2n (x[0]) and 2n + 1 (y[0])

TEST(LinkLoad, CountsThePacketsOfEachLinkInWindowsOf16Edges) {
  CycleFabric cycle(k2x2);
  // Packets leave node 0 at the edges 10 to 19, six of them in the first window, and node 3 at 50.
  cycle.submit_at(9'500, unicast(1, 0, 1, 10));
  cycle.submit_at(49'500, unicast(2, 3, 1, 1));
  (void)cycle.run();
  const LinkWindows load = cycle.fabric.link_windows();
  EXPECT_EQ(load.cycles, 16U);
  EXPECT_THAT(load.packets,
              ElementsAre(ElementsAre(6, 0, 0, 0, 0, 0, 0, 0), ElementsAre(4, 0, 0, 0, 0, 0, 0, 0),
                          Each(0U), ElementsAre(0, 0, 0, 0, 0, 0, 0, 1)));
}

TEST(LinkLoad, DoublesTheWindowsOfALongRunAndLosesNoPacket) {
  for (const std::int64_t end : {639, 640, 1'279, 1'280, 5'000, 100'000}) {
    CycleFabric cycle(k2x2);
    cycle.submit_at(0, unicast(1, 0, 1, 300));
    cycle.submit_at(end * 1000 - 500, unicast(2, 2, 3, 1));
    (void)cycle.run();
    cycle.fabric.drain();
    const LinkWindows load = cycle.fabric.link_windows();
    const auto last = static_cast<Edge>(end);
    Edge expected = 16;
    while (last >= expected * LinkLoad::kMostWindows) expected *= 2;
    EXPECT_EQ(load.cycles, expected) << end;
    ASSERT_THAT(load.packets, SizeIs(last / expected + 1)) << end;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < load.packets.size(); ++i) {
      const std::uint64_t from = std::max<std::uint64_t>(i * expected, 1);
      const std::uint64_t to = std::min<std::uint64_t>((i + 1) * expected, 301);
      EXPECT_EQ(load.packets[i][0], to > from ? to - from : 0) << end << " window " << i;
      for (const std::uint64_t packets : load.packets[i]) sum += packets;
    }
    EXPECT_EQ(sum, 301U) << end;
    EXPECT_EQ(load.packets.back()[4], 1U) << end;
  }
}

TEST(LinkLoad, IsEmptyWithoutPackets) {
  EXPECT_THAT(CycleFabric(k2x2).fabric.link_windows().packets, IsEmpty());
}

TEST(LinkLoad, AddsWindowsOfDifferentLengths) {
  LinkWindows fine{.cycles = 16, .packets = {{1}, {2}, {3}, {4}, {5}}};
  const LinkWindows coarse{.cycles = 64, .packets = {{100}}};
  fine.add(coarse);
  EXPECT_EQ(fine.cycles, 64U);
  EXPECT_THAT(fine.packets, ElementsAre(ElementsAre(110), ElementsAre(5)));
  LinkWindows sum = coarse;
  sum.add({.cycles = 32, .packets = {{1}, {2}, {3}}});
  EXPECT_THAT(sum.packets, ElementsAre(ElementsAre(103), ElementsAre(3)));
}

}  // namespace
}  // namespace kernbench::model::fabric

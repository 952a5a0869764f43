// SPDX-License-Identifier: Apache-2.0
#include "plot/geometry.hpp"

#include <gtest/gtest.h>

#include "plot/path_data.hpp"
#include "plot/text_width.hpp"

namespace kernbench::plot {
namespace {

constexpr BoxPx kBox{10, 20, 30, 40};

TEST(Geometry, FindsSegmentsThatCrossABox) {
  EXPECT_TRUE(crosses({0, 30}, {100, 30}, kBox));
  EXPECT_TRUE(crosses({20, 30}, {21, 31}, kBox)) << "inside";
  EXPECT_FALSE(crosses({0, 30}, {9, 30}, kBox)) << "ends before it";
  EXPECT_FALSE(crosses({0, 20}, {100, 20}, kBox)) << "along its border";
  EXPECT_FALSE(crosses({0, 0}, {100, 10}, kBox));
}

TEST(Geometry, FindsWhereASegmentLeavesABox) {
  const PointPx right = leave(kBox, {20, 30}, {60, 30});
  EXPECT_EQ(right.x, 40);
  EXPECT_EQ(right.y, 30);
  EXPECT_EQ(leave(kBox, {20, 30}, {30, 30}).x, 30) << "the target lies inside";
}

TEST(Geometry, UnitesBoxes) {
  const BoxPx all = united(kBox, {0, 30, 5, 5});
  EXPECT_EQ(all.x, 0);
  EXPECT_EQ(all.right(), 40);
  EXPECT_EQ(all.y, 20);
  EXPECT_EQ(all.bottom(), 60);
}

TEST(PathData, DrawsPolylinesAndMarkers) {
  EXPECT_EQ(polyline_path({{0, 1}, {2.5, 3}}), "M0 1 L2.5 3");
  EXPECT_EQ(marker_outline(MarkerShape::Diamond, {10, 10}, 10), "M10 -3 L23 10 L10 23 L-3 10 Z");
  EXPECT_EQ(arrow_head({10, 10}, {0, 10}, 5), "M10 10 L5 12.25 L5 7.75 Z");
  EXPECT_EQ(arrow_head({10, 10}, {10, 10}, 5), "") << "without a direction";
}

TEST(TextWidth, CountsCharactersNotBytes) {
  EXPECT_EQ(text_width("\u2192\u2192", 10), text_width("ee", 10));
  EXPECT_GT(text_width("mmm", 10), text_width("eee", 10));
}

}  // namespace
}  // namespace kernbench::plot

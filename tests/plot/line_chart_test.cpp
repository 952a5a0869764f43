// SPDX-License-Identifier: Apache-2.0
// Charts of several panels: their texts, places and tooltips, and colours that can be seen.
#include "plot/line_chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/plot/svg_check.hpp"

namespace kernbench::plot {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Two panels with the curve "both"; the second also has "other".
LineChart two_panels() {
  LineChart chart{.title = "Latency <by> size",
                  .subtitle = "small & large",
                  .y = {"latency, us", AxisScale::Log},
                  .panels = {}};
  ChartSeries both{"both", palette_style(0), {{1, 10}, {100, 20}}, {"first", "second"}};
  ChartSeries other{"other", palette_style(1, true), {{1, 1000}}};
  chart.panels.push_back({"left", {"size", AxisScale::Log}, {both}});
  chart.panels.push_back({"right", {"size", AxisScale::Log}, {both, other}});
  return chart;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(LineChart, HasTitlesHeadingsAndAxisLabels) {
  const std::string svg = line_chart_svg(two_panels());
  EXPECT_THAT(svg, HasSubstr("class=\"title\">Latency &lt;by&gt; size</text>"));
  EXPECT_THAT(svg, HasSubstr(">small &amp; large</text>"));
  EXPECT_THAT(svg, HasSubstr("class=\"heading\">left</text>"));
  EXPECT_EQ(count(svg, ">latency, us</text>"), 2U);
  EXPECT_EQ(count(svg, ">size</text>"), 2U);
}

TEST(LineChart, SharesTheYAxisOfItsPanels) {
  // From 10 / 1.25 to 1000 * 1.25 us, over 340 px above y = 460; x from 1 / 1.25 to 125.
  const std::string svg = line_chart_svg(two_panels());
  const double rise = std::log(10 * 1.25 / 10) / std::log(1250 / 8.0) * 340;
  const double run = std::log(1.25) / std::log(125 / 0.8) * 380;
  EXPECT_EQ(count(svg, "<path d=\"M" + svg_number(68 + run) + " " + svg_number(460 - rise)), 1U);
  EXPECT_EQ(count(svg, " " + svg_number(460 - rise) + " L"), 2U)
      << "the same height in both panels";
}

TEST(LineChart, HasTooltipsOfCurvesAndPoints) {
  const std::string svg = line_chart_svg(two_panels());
  EXPECT_EQ(count(svg, "<title>both</title>"), 2U);
  EXPECT_EQ(count(svg, "<title>first</title></path>"), 2U);
  LineChart chart = two_panels();
  chart.panels[0].series[0].tooltip = "a\nb";
  EXPECT_THAT(line_chart_svg(chart), HasSubstr("<title>a\nb</title>"));
}

TEST(LineChart, ListsEachNameOnceBelowTheChartOrOnceBelowEachPanel) {
  LineChart chart = two_panels();
  EXPECT_EQ(count(line_chart_svg(chart), "class=\"label\">both</text>"), 1U);
  chart.legend = LegendPlace::BelowEachPanel;
  EXPECT_EQ(count(line_chart_svg(chart), "class=\"label\">both</text>"), 2U);
}

TEST(LineChart, DrawsTheFirstCurveOnTop) {
  const std::string svg = line_chart_svg(two_panels());
  const std::size_t right = svg.find(">right</text>");
  EXPECT_GT(svg.find("data-id=\"s0\"", right), svg.find("data-id=\"s1\"", right));
}

TEST(LineChart, MarksVariantsByDashesAndHollowMarkers) {
  const std::string svg = line_chart_svg(two_panels());
  EXPECT_EQ(count(svg, "class=\"curve s1 dashed\""), 2U) << "curve and legend";
  EXPECT_EQ(count(svg, "class=\"marker s1 hollow\""), 2U);
  EXPECT_EQ(count(svg, "class=\"marker s0\""), 5U);
}

TEST(LineChart, LeavesMarkersOut) {
  LineChart chart = two_panels();
  chart.panels[0].series[0].markers = false;
  EXPECT_EQ(count(line_chart_svg(chart), "<title>first</title>"), 1U);
}

TEST(LineChart, LabelsGuidesAndMakesRoomForThem) {
  LineChart chart = two_panels();
  const PointPx end{50, 5000};
  chart.panels[0].guides.push_back({"bound", {{1, 5}, end}, end});
  chart.panels[1].guides.push_back({.label = "quiet", .points = {{1, 5}, end}, .dashed = true});
  const std::string svg = line_chart_svg(chart);
  EXPECT_EQ(count(svg, "class=\"guide\">bound</text>"), 1U);
  EXPECT_THAT(svg, HasSubstr("class=\"guide dashed\"><title>quiet</title>"));
  EXPECT_THAT(svg, Not(HasSubstr(">quiet</text>")));
  EXPECT_THAT(svg, HasSubstr(">5000</text>"));
}

TEST(LineChart, NeverLetsTextsOverlapOrLeaveThePicture) {
  for (const LegendPlace place : {LegendPlace::BelowChart, LegendPlace::BelowEachPanel}) {
    LineChart chart = two_panels();
    chart.legend = place;
    chart.title = std::string(150, 'm');
    for (int i = 0; i < 9; ++i) {
      chart.panels[0].series.push_back(
          {fmt::format("{} {}", i, std::string(60, 'x')), palette_style(0), {{1, 1}}});
    }
    for (double value = 50; value < 60; ++value) chart.panels[0].x.ticks.push_back({value});
    EXPECT_THAT(sample::find_illegible(sample::read_svg(line_chart_svg(chart))), IsEmpty());
  }
}

TEST(LineChart, RejectsWhatItCannotDraw) {
  EXPECT_THROW((void)line_chart_svg({}), std::invalid_argument);
  LineChart chart = two_panels();
  chart.panels[0].series.clear();
  EXPECT_THROW((void)line_chart_svg(chart), std::invalid_argument);
  chart = two_panels();
  chart.panels[0].series[0].points[0].y = 0;
  EXPECT_THROW((void)line_chart_svg(chart), std::invalid_argument);
}

/// The relative luminance of WCAG 2.
double luminance(std::uint32_t colour) {
  const auto channel = [colour](unsigned shift) {
    const double value = static_cast<double>(colour >> shift & 0xFFU) / 255;
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0);
}

double contrast(std::uint32_t a, std::uint32_t b) {
  const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
  return (light + 0.05) / (dark + 0.05);
}

TEST(ChartStyle, HasColoursThatStandOutOnBothGrounds) {
  const std::string css = chart_style_sheet(palette());
  ASSERT_THAT(css, HasSubstr("--ground: #ffffff; --ink: #1c2733; --soft: #52606d;"));
  ASSERT_THAT(css, HasSubstr("--ground: #11161c; --ink: #e8edf2; --soft: #a9b4bf;"));
  for (const SeriesColour& colour : palette()) {
    EXPECT_GE(contrast(colour.light, 0xffffff), 3) << colour.css_class;
    EXPECT_GE(contrast(colour.dark, 0x11161c), 3) << colour.css_class;
  }
  for (const std::uint32_t text : {0x1c2733U, 0x52606dU}) EXPECT_GE(contrast(text, 0xffffff), 4.5);
  for (const std::uint32_t text : {0xe8edf2U, 0xa9b4bfU}) EXPECT_GE(contrast(text, 0x11161c), 4.5);
}

TEST(ChartStyle, RepeatsItsPalette) {
  EXPECT_EQ(palette_style(5).css_class, palette_style(1).css_class);
  EXPECT_EQ(palette().size(), kPaletteSize);
}

}  // namespace
}  // namespace kernbench::plot

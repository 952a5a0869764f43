// SPDX-License-Identifier: Apache-2.0
#include "plot/svg_canvas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernbench::plot {
namespace {

using testing::HasSubstr;

TEST(SvgNumber, HasAtMostTwoDecimalsAndNoTrailingZeros) {
  EXPECT_EQ(svg_number(3), "3");
  EXPECT_EQ(svg_number(12.5), "12.5");
  EXPECT_EQ(svg_number(-0.25), "-0.25");
  EXPECT_EQ(svg_number(1.0 / 3), "0.33");
  EXPECT_EQ(svg_number(-0.001), "0");
}

TEST(SvgCanvas, WritesTheStyleOfEachShapeIntoItsAttributes) {
  SvgCanvas canvas(20, 10.5, "a < b",
                   "svg { --ink: #111; background: #fff; font-family: \"A B\", serif; }\n"
                   ".ground { fill: #fff; }\n.x { fill: var(--ink); stroke: red; }\n"
                   "g.in circle.x { stroke: blue; }\n.x:hover { stroke-width: 4; }\n"
                   "@media (prefers-color-scheme: dark) {\n  svg { --ink: #eee; }\n"
                   "  .x { stroke: green; }\n}\n");
  canvas.circle(1, 2, 3, {"x"});
  canvas.begin_group({"in"});
  canvas.circle(1, 2, 3, {"x"});
  canvas.end_group();
  EXPECT_EQ(std::move(canvas).finish(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"20\" height=\"11\" "
            "viewBox=\"0 0 20 11\" font-family=\"&quot;A B&quot;, serif\">\n"
            "<title>a &lt; b</title>\n<style>\nsvg { max-width: 100%; height: auto; }\n"
            ".x:hover { stroke-width: 4; }\n"
            "svg[data-theme=\"dark\"] .ground { fill: #fff; }\n"
            "svg[data-theme=\"dark\"] .x { fill: #eee; }\n"
            "svg[data-theme=\"dark\"] g.in circle.x { stroke: blue; }\n"
            "svg[data-theme=\"dark\"] .x { stroke: green; }\n</style>\n"
            "<rect x=\"0\" y=\"0\" width=\"20\" height=\"11\" fill=\"#fff\" class=\"ground\"/>\n"
            "<circle cx=\"1\" cy=\"2\" r=\"3\" fill=\"#111\" stroke=\"red\" class=\"x\"/>\n"
            "<g class=\"in\">\n"
            "<circle cx=\"1\" cy=\"2\" r=\"3\" fill=\"#111\" stroke=\"blue\" class=\"x\"/>\n"
            "</g>\n</svg>\n");
}

TEST(SvgCanvas, LeavesTheStyleToItsPageWithoutASheet) {
  SvgCanvas canvas(20, 10, "a", "");
  canvas.circle(1, 2, 3, {"x"});
  EXPECT_EQ(std::move(canvas).finish(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"20\" height=\"10\" "
            "viewBox=\"0 0 20 10\">\n<title>a</title>\n"
            "<circle cx=\"1\" cy=\"2\" r=\"3\" class=\"x\"/>\n</svg>\n");
}

TEST(SvgCanvas, EscapesTextsTooltipsAndAttributes) {
  SvgCanvas canvas(20, 10, "", "");
  canvas.text(1, 2, "a & <b>", {"soft"}, TextAnchor::End);
  canvas.rect(0, 0, 1, 1, {.css_class = "box", .tooltip = "1 < 2", .id = "\"x\""}, 2);
  canvas.begin_group({"case", "x > y & z"});
  canvas.end_group();
  const std::string svg = std::move(canvas).finish();
  EXPECT_THAT(svg, HasSubstr("<text x=\"1\" y=\"2\" text-anchor=\"end\" class=\"soft\">a &amp; "
                             "&lt;b&gt;</text>"));
  EXPECT_THAT(svg, HasSubstr("rx=\"2\" class=\"box\" data-id=\"&quot;x&quot;\">"
                             "<title>1 &lt; 2</title></rect>"));
  EXPECT_THAT(svg, HasSubstr("<g class=\"case\">\n<title>x &gt; y &amp; z</title>\n</g>"));
}

}  // namespace
}  // namespace kernbench::plot

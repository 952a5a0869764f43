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

TEST(SvgCanvas, WritesADocumentWithTitleAndStyle) {
  SvgCanvas canvas(20, 10.5, "a < b", ".x { fill: red; }\n");
  canvas.circle(1, 2, 3, {"x"});
  EXPECT_EQ(std::move(canvas).finish(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"20\" height=\"10.5\" "
            "viewBox=\"0 0 20 10.5\">\n<title>a &lt; b</title>\n<style>\n.x { fill: red; }\n"
            "</style>\n<circle cx=\"1\" cy=\"2\" r=\"3\" class=\"x\"/>\n</svg>\n");
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

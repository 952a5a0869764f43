// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>

#include "channel_sets.hpp"
#include "topology/zoo/zoo_svg.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::topology::zoo {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

std::string svg_of(const std::string& text) {
  return render_zoo_svg(*parse_zoo_text(text));
}

TEST(ZooSvg, ShowsEveryNodeWithItsNumberAsText) {
  const std::string svg = svg_of("Mesh2D(4,3)");
  for (int node = 0; node < 12; ++node) {
    EXPECT_THAT(svg, HasSubstr(fmt::format("data-id=\"node{}\"", node)));
    EXPECT_THAT(svg, HasSubstr(fmt::format("class=\"number\">{}</text>", node)));
  }
  EXPECT_THAT(svg, HasSubstr(">Mesh2D(4,3)</text>"));
  EXPECT_THAT(svg, HasSubstr(">12 nodes, 34 channels</text>"));
}

TEST(ZooSvg, DrawsALineForBothWaysAndAnArrowForOne) {
  const std::string both = svg_of("BidirectionalLine(3)");
  EXPECT_EQ(count(both, "data-id=\"0&lt;-&gt;1\""), 1U);
  EXPECT_EQ(count(both, "data-id=\"1&lt;-&gt;2\""), 1U);
  EXPECT_EQ(count(both, "class=\"head\""), 0U);
  const std::string one = svg_of("UnidirectionalLine(3)");
  EXPECT_EQ(count(one, "data-id=\"0-&gt;1\""), 1U);
  EXPECT_EQ(count(one, "class=\"head\""), 2U + 1U);  // and one in the legend
  EXPECT_THAT(one, Not(HasSubstr("&lt;-&gt;")));
}

TEST(ZooSvg, MarksIngressAndEgress) {
  const std::string svg = svg_of("BidirectionalLine(3)");
  EXPECT_EQ(count(svg, "class=\"ingress\""), 3U + 1U);
  EXPECT_EQ(count(svg, "class=\"egress\""), 3U + 1U);
  EXPECT_THAT(svg, HasSubstr("<title>ingress of node 2</title>"));
}

TEST(ZooSvg, ColoursTerminalsAndChildren) {
  const std::string svg =
      svg_of("TerminalRouter(HierarchicalTopology(BidirectionalLine(2),(0,0,Mesh2D(2,2))))");
  EXPECT_EQ(count(svg, "class=\"terminal\""), 6U + 1U);
  EXPECT_EQ(count(svg, "class=\"router\""), 2U + 1U);
  EXPECT_EQ(count(svg, "class=\"child\""), 4U + 1U);
  const std::string plain = svg_of("Mesh2D(2,2)");
  EXPECT_EQ(count(plain, "class=\"router\""), 4U);  // the legend has no roles
}

TEST(ZooSvg, ExplainsItsSignsInALegend) {
  const std::string svg = svg_of("UnidirectionalTorus1D(4)");
  EXPECT_THAT(svg, HasSubstr(">one way</text>"));
  EXPECT_THAT(svg, HasSubstr(">ingress</text>"));
  EXPECT_THAT(svg, HasSubstr(">egress</text>"));
  EXPECT_THAT(svg, Not(HasSubstr(">both ways</text>")));
}

TEST(ZooSvg, BreaksALongTitleBetweenChildren) {
  const std::string svg = svg_of(
      "HierarchicalTopology(UnidirectionalTorus1D(4),(0,2,BidirectionalLine(5)),(2,1,"
      "BidirectionalLine(3)))");
  EXPECT_THAT(svg, HasSubstr(">HierarchicalTopology(UnidirectionalTorus1D(4),"
                             "(0,2,BidirectionalLine(5)),</text>"));
  EXPECT_THAT(svg, HasSubstr(">(2,1,BidirectionalLine(3)))</text>"));
}

TEST(ZooSvg, IsTheSameEveryTime) {
  const std::string custom = "CustomTopology(6,0->1,1->2,2->3,3->4,4->5,5->0,0->3,3->1)";
  EXPECT_EQ(svg_of(custom), svg_of(custom));
}

TEST(ZooSvg, RefusesMoreNodesThanCanBeSeen) {
  EXPECT_EQ(refusal_of([] { (void)svg_of("Mesh2D(33,32)"); }),
            "Mesh2D(33,32) has 1056 nodes; at most 1024 are drawn");
  EXPECT_THAT(svg_of("Mesh2D(32,32)"), HasSubstr("class=\"small\">1023</text>"));
}

}  // namespace
}  // namespace kernbench::topology::zoo

// SPDX-License-Identifier: Apache-2.0
// Drawings of the compiled views are legible, complete, and true to the coordinates of routing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "common/random.hpp"
#include "tests/plot/svg_check.hpp"
#include "topology/diagram/view_renderer.hpp"
#include "topology/diagram/view_style.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

using plot::sample::find_illegible;
using plot::sample::read_svg;
using plot::sample::SvgDrawing;
using plot::sample::SvgPoint;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::array<ViewLevel, 4> kAllLevels = {ViewLevel::System, ViewLevel::Sip, ViewLevel::Cube,
                                                 ViewLevel::Pe};

TopologySpec cubes(std::uint32_t w, std::uint32_t h, InterCube inter_cube) {
  TopologySpec spec;
  spec.sip.cube_mesh_w = w;
  spec.sip.cube_mesh_h = h;
  spec.sip.inter_cube = inter_cube;
  return spec;
}

/// Returns a system with IO chiplets on all sides and many PEs and UCIe connections.
TopologySpec dense() {
  TopologySpec spec;
  spec.system.sips = 16;
  spec.cube.w_mm = 34;
  spec.cube.h_mm = 28;
  spec.cube.pe_per_corner = 4;
  spec.cube.ucie_n_connections = 16;
  spec.cube.memory_map.slices_per_cube = 16;
  for (const auto& [id, side] : {std::pair{"io1", Side::East}, std::pair{"io2", Side::South},
                                 std::pair{"io3", Side::West}}) {
    IoChipletSpec io;
    io.id = id;
    io.side = side;
    spec.sip.io_chiplets.push_back(io);
  }
  return spec;
}

struct Scene {
  std::string name;
  TopologySpec spec;
};

std::vector<Scene> scenes() {
  return {{"Default", {}},
          {"Maze2x2", cubes(2, 2, InterCube::Maze)},
          {"Maze8x8", cubes(8, 8, InterCube::Maze)},
          {"Maze16x16", cubes(16, 16, InterCube::Maze)},
          {"Ucie1x1", cubes(1, 1, InterCube::UcieMesh)},
          {"Ucie16x16", cubes(16, 16, InterCube::UcieMesh)},
          {"Dense", dense()}};
}

class EveryScene : public testing::TestWithParam<Scene> {
 protected:
  TopologyGraph graph_ = compile_topology(GetParam().spec);
};

TEST_P(EveryScene, HasNoLabelThatOverlapsAnotherOrIsCutOff) {
  for (const ViewLevel level : kAllLevels) {
    const SvgDrawing drawing = read_svg(render_view_svg(graph_.view(level)));
    EXPECT_THAT(find_illegible(drawing), IsEmpty()) << graph_.view(level).title;
  }
}

TEST_P(EveryScene, ShowsEveryNodeWithItsLabel) {
  for (const ViewLevel level : kAllLevels) {
    const View& view = graph_.view(level);
    const std::string svg = render_view_svg(view);
    const SvgDrawing drawing = read_svg(svg);
    EXPECT_EQ(drawing.places.size(), view.nodes.size());
    EXPECT_EQ(drawing.link_tooltips.size(), view.edges.size());
    for (const ViewNode& node : view.nodes) {
      EXPECT_THAT(svg, HasSubstr(">" + node.label + "</text>")) << node.id;
    }
  }
}

TEST_P(EveryScene, IsTheViewsCoordinatesTimesOneScale) {
  for (const ViewLevel level : kAllLevels) {
    const View& view = graph_.view(level);
    const SvgDrawing drawing = read_svg(render_view_svg(view));
    // The two nodes farthest apart give the scale, the first one the origin.
    const ViewNode* first = &view.nodes.front();
    const ViewNode* last = first;
    const auto apart = [&](const ViewNode& node) {
      return std::abs(node.center.x - first->center.x) + std::abs(node.center.y - first->center.y);
    };
    for (const ViewNode& node : view.nodes) {
      if (apart(node) > apart(*last)) last = &node;
    }
    ASSERT_NE(first, last);
    const SvgPoint from = drawing.places.at(first->id);
    const SvgPoint to = drawing.places.at(last->id);
    const double scale = (std::abs(to.x - from.x) + std::abs(to.y - from.y)) / apart(*last);
    for (const ViewNode& node : view.nodes) {
      const SvgPoint place = drawing.places.at(node.id);
      // Numbers in the file have a precision of a hundredth of a pixel.
      EXPECT_NEAR(place.x, from.x + (node.center.x - first->center.x) * scale, 0.04) << node.id;
      EXPECT_NEAR(place.y, from.y + (node.center.y - first->center.y) * scale, 0.04) << node.id;
    }
  }
}

TEST_P(EveryScene, IsTheSameTextEachTime) {
  for (const ViewLevel level : kAllLevels) {
    EXPECT_EQ(render_view_svg(graph_.view(level)), render_view_svg(graph_.view(level)));
  }
}

INSTANTIATE_TEST_SUITE_P(ViewDiagram, EveryScene, testing::ValuesIn(scenes()),
                         [](const auto& scene) { return scene.param.name; });

/// Returns a random system of moderate size.
TopologySpec random_spec(std::uint64_t seed) {
  common::Rng random(seed);
  const auto from_to = [&](std::uint32_t least, std::uint32_t most) {
    return least + static_cast<std::uint32_t>(random.below(most - least + 1));
  };
  TopologySpec spec;
  spec.system.sips = from_to(1, 20);
  spec.sip.inter_cube = random.below(2) == 0 ? InterCube::UcieMesh : InterCube::Maze;
  spec.sip.cube_mesh_w = from_to(2, 7);
  spec.sip.cube_mesh_h = from_to(2, 7);
  spec.sip.io_chiplets.clear();
  for (std::uint32_t i = from_to(0, 4); i > 0; --i) {
    IoChipletSpec io;
    io.id = "io" + std::to_string(i);
    io.side = static_cast<Side>(from_to(0, 3));
    spec.sip.io_chiplets.push_back(io);
  }
  spec.cube.pe_per_corner = from_to(1, 4);
  spec.cube.w_mm = 6.0 * spec.cube.pe_per_corner + from_to(0, 20);
  spec.cube.h_mm = from_to(10, 30);
  spec.cube.ucie_n_connections = from_to(1, 12);
  spec.cube.memory_map.slices_per_cube = spec.cube.pes();
  spec.cube.m_cpu_pos = {from_to(0, 59) * 0.1, from_to(0, 99) * 0.1};
  spec.cube.sram_pos = {from_to(0, 59) * 0.1, from_to(0, 99) * 0.1};
  return spec;
}

TEST(ViewDiagram, IsLegibleForAnySystem) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    const TopologyGraph graph = compile_topology(random_spec(seed));
    for (const ViewLevel level : kAllLevels) {
      const SvgDrawing drawing = read_svg(render_view_svg(graph.view(level)));
      EXPECT_THAT(find_illegible(drawing), IsEmpty())
          << "seed " << seed << ", " << graph.view(level).title;
    }
  }
}

TEST(ViewDiagram, FindsRoomForMoreBoxesThanFitAroundAPlace) {
  View view;
  view.title = "A heap";
  view.w_mm = 1;
  view.h_mm = 1;
  ViewNode node;
  node.center = {0.5, 0.5};
  for (int i = 0; i < 150; ++i) {
    node.id = "node" + std::to_string(i);
    node.label = node.id + std::string(60, '.');  // wide
    view.nodes.push_back(node);
  }
  EXPECT_THAT(find_illegible(read_svg(render_view_svg(view))), IsEmpty());
}

/// Returns a view of two routers and a PE, which has the place of the first router.
View small_view() {
  View view;
  view.level = ViewLevel::Cube;
  view.title = "Two <routers> & a PE";
  view.w_mm = 10;
  view.h_mm = 5;
  ViewNode node;
  node.id = "r0";
  node.label = "r0c0";
  node.center = {2, 2};
  node.details = {{"kind", "router"}, {"overhead", "1 ns"}};
  view.nodes.push_back(node);
  node.id = "r1";
  node.label = "r0c1";
  node.center = {8, 2};
  view.nodes.push_back(node);
  node.id = "pe0";
  node.label = "PE 0";
  node.shape = ViewShape::PeBlock;
  node.center = {2, 2};
  node.details.clear();
  view.nodes.push_back(node);
  view.edges.push_back({0, 1, EdgeKind::RouterMesh, 256, 6, true, 0});
  view.edges.push_back({2, 0, EdgeKind::PeToRouter, 128, 0.5, false, 0});
  return view;
}

TEST(ViewDiagram, PutsWhatSharesAPlaceBesideItAndKeepsItsAnchor) {
  const SvgDrawing drawing = read_svg(render_view_svg(small_view()));
  EXPECT_EQ(drawing.places.at("pe0").x, drawing.places.at("r0").x);
  EXPECT_EQ(drawing.places.at("pe0").y, drawing.places.at("r0").y);
  ASSERT_EQ(drawing.boxes.size(), 3U);
  const plot::sample::SvgBox& pe = drawing.boxes[2];
  EXPECT_EQ(pe.what, "pe0");
  EXPECT_NE(pe.x + pe.w / 2, drawing.places.at("pe0").x);
  EXPECT_THAT(find_illegible(drawing), IsEmpty());
}

TEST(ViewDiagram, DrawsAnArrowOnlyWhereALinkLeadsOneWay) {
  const SvgDrawing drawing = read_svg(render_view_svg(small_view()));
  ASSERT_EQ(drawing.link_tooltips.size(), 2U);
  EXPECT_EQ(drawing.arrow_tooltips, std::vector<std::string>{drawing.link_tooltips[1]});
}

TEST(ViewDiagram, HasTooltipsWithNameKindPlaceAndParameters) {
  const std::string svg = render_view_svg(small_view());
  EXPECT_THAT(svg, HasSubstr("<title>r0\nkind: router\nat: (2, 2) mm\noverhead: 1 ns</title>"));
  EXPECT_THAT(svg, HasSubstr("<title>r0 \u2194 r1\nkind: router_mesh\nbandwidth: 256 GB/s\n"
                             "length: 6 mm</title>"));
  EXPECT_THAT(svg, HasSubstr("<title>pe0 \u2192 r0\nkind: pe_to_router\nbandwidth: 128 GB/s\n"
                             "length: 0.5 mm</title>"));
}

TEST(ViewDiagram, EscapesWhatIsNoMarkup) {
  EXPECT_THAT(render_view_svg(small_view()), HasSubstr(">Two &lt;routers&gt; &amp; a PE</text>"));
}

TEST(ViewDiagram, DrawsAViewWithoutNodes) {
  View view;
  view.title = "Nothing";
  EXPECT_THAT(render_view_svg(view), HasSubstr(">Nothing</text>"));
}

TEST(ViewDiagram, ExplainsEveryKindInTheLegend) {
  const TopologyGraph graph = compile_topology(cubes(8, 8, InterCube::Maze));
  const std::string svg = render_view_svg(graph.sip_view());
  for (const std::string_view text :
       {"cube", "IO chiplet", "pcie_ep", "maze_link", "io_to_cube", "IRS stages of a maze_link",
        "0 (plain wire): 15\u201318 mm", "3: 60\u201372 mm", "a line without arrow: both ways"}) {
    EXPECT_THAT(svg, HasSubstr(">" + std::string(text) + "</text>"));
  }
}

TEST(ViewStyle, HasAFillForEveryKindOfNodeAndAStrokeForEveryKindOfEdge) {
  const std::string css(view_style_sheet());
  for (std::size_t i = 0; i < kNodeKinds; ++i) {
    const std::string kind(name(static_cast<NodeKind>(i)));
    EXPECT_THAT(css, HasSubstr(".node." + kind + " rect")) << kind;
    EXPECT_THAT(css, HasSubstr("rect." + kind)) << kind;
  }
  for (std::size_t i = 0; i < kEdgeKinds; ++i) {
    EXPECT_THAT(css, HasSubstr(".edge." + std::string(name(static_cast<EdgeKind>(i)))));
  }
  for (unsigned depth = 0; depth <= kDeepestStyle; ++depth) {
    EXPECT_THAT(css, HasSubstr(".edge.depth" + std::to_string(depth)));
  }
}

// The checks of the drawings detect faults.

TEST(SvgCheck, SeesAnOverlapThatIsPutIntoAPicture) {
  std::string svg = render_view_svg(small_view());
  const SvgPoint place = read_svg(svg).places.at("r1");
  const std::string intruder = "<text x=\"" + std::to_string(place.x) + "\" y=\"" +
                               std::to_string(place.y + 9) +
                               "\" text-anchor=\"middle\">intruder</text>\n";
  svg.insert(svg.find("</svg>"), intruder);
  EXPECT_THAT(find_illegible(read_svg(svg)),
              testing::UnorderedElementsAre("'r0c1' overlaps 'intruder'",
                                            "'intruder' touches the box of r1"));
}

TEST(SvgCheck, SeesBoxesThatOverlap) {
  std::string svg = render_view_svg(small_view());
  const plot::sample::SvgBox box = read_svg(svg).boxes[0];
  const std::string intruder = "<g class=\"node\" data-id=\"copy\">\n<rect x=\"" +
                               std::to_string(box.x + box.w - 1) + "\" y=\"" +
                               std::to_string(box.y) + "\" width=\"5\" height=\"5\"/>\n</g>\n";
  svg.insert(svg.find("</svg>"), intruder);
  EXPECT_THAT(find_illegible(read_svg(svg)), testing::Contains("r0 overlaps copy"));
}

TEST(SvgCheck, SeesATextThatIsCutOff) {
  std::string svg = render_view_svg(small_view());
  svg.insert(svg.find("</svg>"), "<text x=\"-1\" y=\"30\" text-anchor=\"start\">x</text>\n");
  EXPECT_THAT(find_illegible(read_svg(svg)), testing::Contains("'x' is cut off"));
}

}  // namespace
}  // namespace kernbench::topology

// SPDX-License-Identifier: Apache-2.0
// Operates the viewer with mouse and keyboard in a headless Chromium.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topology/spec/topology_spec.hpp"
#include "viewer_page.hpp"

namespace kernbench {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Viewer : public cli_test::ViewerPage {};

TEST_F(Viewer, DrawsTheFourViews) {
  const ShownViewer viewer(cli_test::small_system(), folder_.path());
  for (const auto& [name, level] : topology::kViewLevelNames) {
    open(viewer, "view=" + std::string(name));
    const topology::View& view = viewer.graph().view(level);
    EXPECT_EQ(count("svg.diagram .box"), view.nodes.size()) << name;
    EXPECT_EQ(count("svg.diagram .link"), view.edges.size()) << name;
    EXPECT_EQ(page().evaluate("document.querySelector('svg.diagram').getAttribute('aria-label')"),
              view.title);
  }
}

TEST_F(Viewer, ShowsTheParametersOfWhatIsClicked) {
  const ShownViewer viewer(cli_test::small_system(), folder_.path());
  open(viewer, "view=cube");
  page().click(box("sip0.cube0.m_cpu"));
  EXPECT_TRUE(shows("#inspector .name", "sip0.cube0.m_cpu"));
  EXPECT_THAT(text("#inspector"), HasSubstr("overhead10 ns"));
  page().click("#inspector details summary");
  page().click("#inspector .edges li:last-child button");
  EXPECT_TRUE(shows("#inspector .name", "command"));
  EXPECT_THAT(text("#inspector"), HasSubstr("bandwidth32 GB/s"));
  page().click("svg.diagram .link:has(.router_mesh) .hit");
  EXPECT_TRUE(shows("#inspector .name", "router_mesh"));
  EXPECT_EQ(count(".link.selected"), 1);
}

TEST_F(Viewer, LooksInsideABlockByADoubleClickAndBackByItsPath) {
  const ShownViewer viewer(cli_test::small_system(), folder_.path());
  open(viewer, "view=sip");
  page().click(box("sip0.cube2"), 2);
  EXPECT_TRUE(shows("#crumbs .current", "Cube"));
  EXPECT_TRUE(page().wait_until("location.hash.includes('of=sip0.cube2')"));
  EXPECT_EQ(count("[aria-label$=\"sip0.cube2.m_cpu\"]"), 1);
  page().click("#crumbs button");
  EXPECT_TRUE(shows("#crumbs .current", "System"));
}

TEST_F(Viewer, ShowsTheRouteBetweenTwoPickedNodesForEachIntent) {
  const ShownViewer viewer(cli_test::small_system(), folder_.path());
  open(viewer, "view=cube");
  page().click(box("sip0.cube0.pe0"));
  ASSERT_TRUE(shows("#inspector .name", "sip0.cube0.pe0"));
  page().press("f");
  page().click(box("sip0.cube0.hbm_ctrl.pe7"));
  ASSERT_TRUE(shows("#inspector .name", "sip0.cube0.hbm_ctrl.pe7"));
  page().press("t");
  ASSERT_TRUE(page().wait_until("document.querySelectorAll('#routes .card').length === 4"));
  EXPECT_THAT(text("#routes .chosen"), StartsWith("PE DMA12 hops"));
  EXPECT_THAT(text("#routes .shown"), HasSubstr("12 of 12 hops are in this view"));
  EXPECT_EQ(count(".link.on-route"), 12);
  EXPECT_EQ(count(".box.route-end"), 2);
  EXPECT_THAT(text("#routes .none"), HasSubstr("M_CPU DMAmust start at an m_cpu"));
  page().click("#routes .card:last-child .card-head");
  EXPECT_TRUE(shows("#routes .chosen", "command"));
}

TEST_F(Viewer, PansAndZooms) {
  const ShownViewer viewer(cli_test::small_system(), folder_.path());
  open(viewer, "view=sip");
  const std::string fitted = transform();
  page().drag(30, 700, 130, 750);
  const std::string panned = transform();
  EXPECT_NE(panned, fitted);
  EXPECT_EQ(panned.substr(panned.find("scale")), fitted.substr(fitted.find("scale")));
  page().wheel(500, 500, -200);
  const std::string zoomed = transform();
  EXPECT_NE(zoomed.substr(zoomed.find("scale")), fitted.substr(fitted.find("scale")));
  page().click("#zoom-fit");
  EXPECT_EQ(transform(), fitted);
}

TEST_F(Viewer, CanBeUsedByKeyboardAlone) {
  const ShownViewer viewer(cli_test::small_system(), folder_.path());
  open(viewer, "view=sip");
  const auto focused = [] {
    return page().evaluate("document.activeElement.getAttribute('aria-label')");
  };
  for (int i = 0; i < 20 && focused() != "cube 0: cube sip0.cube0"; ++i) page().press("Tab");
  EXPECT_EQ(focused(), "cube 0: cube sip0.cube0");
  page().press("ArrowDown");
  EXPECT_EQ(focused(), "cube 2: cube sip0.cube2");
  page().press("ArrowRight");
  EXPECT_EQ(focused(), "cube 3: cube sip0.cube3");
  page().press("Enter");
  EXPECT_TRUE(shows("#inspector .name", "sip0.cube3"));
  page().press("Enter");
  EXPECT_TRUE(shows("#crumbs .current", "Cube"));
}

TEST_F(Viewer, KeepsItsLabelsReadableOnALargeSip) {
  topology::TopologySpec spec = cli_test::small_system(topology::InterCube::Maze);
  spec.sip.cube_mesh_w = spec.sip.cube_mesh_h = 16;
  const ShownViewer viewer(spec, folder_.path());
  open(viewer, "view=sip&select=sip0.cube17");
  (void)transform();  // the first frame fits the labels
  const json sizes = page().evaluate(
      "[...document.querySelectorAll('svg.diagram text')].filter((t) => "
      "t.getAttribute('display') !== 'none').map((t) => t.getAttribute('font-size') * "
      "document.querySelector('svg.diagram > g').getCTM().a)");
  EXPECT_GE(sizes.size(), 256U);
  EXPECT_LE(sizes.size(), 320U);
  for (const double size : sizes) EXPECT_GE(size, 8.9);
  // Only 30 of the 3,840 MAZE lines are shown: 15 in the row and 15 in the column of the cube.
  ASSERT_TRUE(page().wait_until("document.querySelectorAll('.box.selected').length === 1"));
  EXPECT_EQ(count(".link:not([hidden]) .maze_link"), 30);
  page().click("#all-links input");
  EXPECT_EQ(count(".link:not([hidden]) .maze_link"), 3840);
}

TEST_F(Viewer, FollowsTheColourSchemeOfTheUser) {
  const ShownViewer viewer(cli_test::small_system(), folder_.path());
  const auto colours = [&] {
    return page().evaluate(
        "['background-color', 'color'].map((c) => "
        "getComputedStyle(document.body).getPropertyValue(c))");
  };
  open(viewer, "view=sip");
  EXPECT_THAT(colours(), ElementsAre("rgb(244, 246, 249)", "rgb(23, 33, 44)"));
  page().prefer_dark();
  EXPECT_THAT(colours(), ElementsAre("rgb(17, 22, 28)", "rgb(230, 235, 240)"));
}

/// Returns the parts of a regression report of a 2x2 fabric that the viewer reads.
json regression_report() {
  json links = json::array();
  for (int i = 0; i < 8; ++i) {
    links.push_back({{"name", "link " + std::to_string(i)}, {"packets", 10 * i}, {"stalls", i}});
  }
  return {{"schema", 1},
          {"kind", "regression"},
          {"outcome", "pass"},
          {"seed", 1},
          {"revision", "r"},
          {"command", "kernbench sim"},
          {"data",
           {{"shape", {{"nx", 2}, {"ny", 2}, {"flit_w", 8}}},
            {"totals",
             {{"cases", 1},
              {"passed", 1},
              {"cycles", 1000},
              {"delivered", 280},
              {"links", 8},
              {"links_delivered", 7}}},
            {"coverage", {{"hit", 3}, {"total", 4}}},
            {"links", links},
            {"cases", json::array()}}}};
}

TEST_F(Viewer, ShowsReportsByWhatTheyAre) {
  json report = regression_report();
  std::string ordered = "{\"schema\": 1, \"kind\": \"regression\", \"outcome\": \"pass\", ";
  report.erase("schema");
  (void)folder_.write("report.json", ordered + report.dump().substr(1));
  (void)folder_.write("hops.json", R"({"displayTimeUnit": "ns", "traceEvents": [
{"name": "process_name", "ph": "M", "pid": 1, "tid": 0, "args": {"name": "probe"}},
{"name": "thread_name", "ph": "M", "pid": 1, "tid": 1, "args": {"name": "router"}},
{"name": "read", "ph": "X", "pid": 1, "tid": 1, "ts": 0.5, "dur": 0.25, "args": {"transaction": 1}}]})");
  (void)folder_.write("page.html", "<style>p{color:red}</style><p>page</p>");
  (void)folder_.write("<b>odd & name.txt", "<script>alert(1)</script>");
  (void)folder_.write("cut.json", "{\"schema\": 1, \"kind\": \"probe\", \"data\": ");
  const ShownViewer viewer(cli_test::small_system(), folder_.path());
  const std::string url = "http://127.0.0.1:" + std::to_string(viewer.port()) + "/#report";
  page().open(url + "s");
  ASSERT_TRUE(page().wait_until("document.querySelectorAll('.report-list li').length === 5"));
  page().click("a[href=\"#report=cut.json\"]");
  EXPECT_TRUE(shows(".report .bad", "Cannot show this report: "));
  page().click("a[href=\"#report=report.json\"]");
  EXPECT_TRUE(page().wait_until("document.querySelectorAll('.heat rect').length === 8"));
  EXPECT_THAT(text(".report"), HasSubstr("packets delivered"));
  page().click("a[href=\"#report=hops.json\"]");
  EXPECT_TRUE(shows(".report dl", "slices1"));
  EXPECT_EQ(count(".timeline canvas"), 1);
  page().click("a[href=\"#report=page.html\"]");
  EXPECT_TRUE(page().wait_until("document.querySelector('.report iframe')?.sandbox.length === 0"));
  page().click(".report-list li:has(a[href*=\"odd\"]) a");
  EXPECT_TRUE(shows(".report pre", "<script>alert(1)</script>"));
  EXPECT_THAT(text(".report h1"), "<b>odd & name.txt");
}

TEST_F(Viewer, NamesBoxesAsTheyAreLabelledAndHasAHeadingOnEachPage) {
  const ShownViewer viewer(cli_test::small_system(), folder_.path());
  for (const auto& [name, level] : topology::kViewLevelNames) {
    open(viewer, "view=" + std::string(name));
    EXPECT_EQ(page().evaluate(
                  "[...document.querySelectorAll('svg.diagram [data-node]')].filter((box) => "
                  "!box.getAttribute('aria-label').includes(box.querySelector('text')?.textContent "
                  "?? '')).length"),
              0);
    EXPECT_EQ(texts("main:not([hidden]) h1"), json::array({viewer.graph().view(level).title}));
  }
  open_reports(viewer, "reports=1");
  EXPECT_EQ(texts("main:not([hidden]) h1"), json::array({"Reports"}));
}

TEST_F(Viewer, AnErrorDoesNotStayOverTheNextPage) {
  const ShownViewer viewer(cli_test::small_system(), folder_.path());
  open(viewer, "view=sip&select=sip0.nothing");
  EXPECT_TRUE(shows("#problem:not([hidden])", "node 'sip0.nothing' not found"));
  page().click("#tab-reports");
  EXPECT_TRUE(page().wait_until("document.querySelector('#problem').hidden"));
  EXPECT_TRUE(shows(".report h1", "Reports"));
  (void)page().take_complaints();  // the request that was refused
}

TEST_F(Viewer, FitsOnANarrowScreen) {
  const ShownViewer viewer(cli_test::small_system(), folder_.path());
  page().resize(390, 844);
  open(viewer, "view=cube");
  EXPECT_LE(page().evaluate("document.documentElement.scrollWidth").get<int>(), 390);
  EXPECT_LE(page()
                .evaluate("document.querySelector('#diagram').getBoundingClientRect().bottom")
                .get<double>(),
            844);
  page().click(box("sip0.cube0.m_cpu"));
  EXPECT_TRUE(shows("#inspector .name", "sip0.cube0.m_cpu"));
}

TEST_F(Viewer, PaintsTheDefaultTopologySoon) {
  const topology::TopologySpec spec;  // equal to configs/topology.yaml
  const ShownViewer viewer(spec, folder_.path());
  open(viewer, "");
  ASSERT_TRUE(
      page().wait_until("performance.getEntriesByName('first-contentful-paint').length === 1"));
  const json times = page().evaluate(
      "[performance.getEntriesByName('first-contentful-paint')[0].startTime, "
      "performance.getEntriesByName('diagram')[0].startTime]");
  std::printf("first paint after %.0f ms, the diagram after %.0f ms\n", times[0].get<double>(),
              times[1].get<double>());
  EXPECT_EQ(count("svg.diagram .box"), 4);
}

}  // namespace
}  // namespace kernbench

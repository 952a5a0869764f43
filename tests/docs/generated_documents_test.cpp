// SPDX-License-Identifier: Apache-2.0
// The generated documents say what the requirements say, and docs/maze-topo.md shows real waves.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "common/text_file.hpp"
#include "docs/generator/block_diagram.hpp"
#include "docs/generator/connection_matrix.hpp"
#include "docs/generator/link_recorder.hpp"
#include "docs/generator/timing_diagram.hpp"
#include "tests/docs/count.hpp"
#include "tests/places.hpp"
#include "tests/sim/reference_dut.hpp"

namespace kernbench::docs {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) result.push_back(line);
  return result;
}

std::string recorded(const Scenario& scenario) {
  sim::ReferenceDut dut({8, 8, 8});
  return waveform_text(scenario, record(dut, scenario));
}

TEST(ConnectionMatrix, HasOneRowForEachOfThe896LinksAndTheDepthsOfTheTorus) {
  const auto rows = lines(connection_csv(topology::MazeLinks(8, 8)));
  ASSERT_EQ(rows.size(), 1U + 896U);
  std::map<std::string, unsigned> depths;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto instance = rows[i].rfind(',');
    ++depths[rows[i].substr(instance - 1, 1)];
  }
  EXPECT_EQ(depths,
            (std::map<std::string, unsigned>{{"0", 256}, {"1", 256}, {"2", 256}, {"3", 128}}));
}

TEST(ConnectionMatrix, HasTheExamplesOfTheRequirements) {
  const auto rows = lines(connection_csv(topology::MazeLinks(8, 8)));
  EXPECT_EQ(rows[0],
            "src_node,src_y,src_x,src_port,dst_node,dst_y,dst_x,dst_port,irs_depth,irs_instance");
  for (const char* row : {
           "28,3,4,x[0],29,3,5,x[0],0,g_y[3].g_x[4].g_xlink[0].u_irs",
           "28,3,4,x[1],30,3,6,x[1],1,g_y[3].g_x[4].g_xlink[1].u_irs",
           "28,3,4,x[6],27,3,3,x[6],0,g_y[3].g_x[4].g_xlink[6].u_irs",
           "28,3,4,y[0],36,4,4,y[0],0,g_y[3].g_x[4].g_ylink[0].u_irs",
           "28,3,4,y[1],44,5,4,y[1],1,g_y[3].g_x[4].g_ylink[1].u_irs",
           "28,3,4,y[6],20,2,4,y[6],0,g_y[3].g_x[4].g_ylink[6].u_irs",
       }) {
    EXPECT_THAT(rows, Contains(row));
  }
}

TEST(ConnectionMatrix, SaysTheSameForPeople) {
  const std::string text = connection_markdown(topology::MazeLinks(8, 8));
  EXPECT_THAT(text, HasSubstr("896 links, 256 of them plain wires; 1152 IRS stages in all."));
  EXPECT_EQ(count(text, "\n## Node "), 64U);
  EXPECT_EQ(count(text, "| node "), 896U);
  EXPECT_THAT(text,
              HasSubstr("| x[6] | node 27 [3,3] | x[6] | 0 | `g_y[3].g_x[4].g_xlink[6].u_irs` |"));
}

TEST(ConnectionMatrix, UsesTheInstanceNamesOfTheRtl) {
  const std::string rtl = common::read_text_file(places::source("/rtl/topo.sv"));
  for (const char* name : {"g_y", "g_x", "g_xlink", "g_ylink"}) {
    EXPECT_EQ(count(rtl, fmt::format("begin : {}\n", name)), 1U) << name;
  }
  EXPECT_EQ(count(rtl, ") u_irs ("), 2U);
}

TEST(BlockDiagram, ShowsAllNodesAndTheFourteenLinksOfOne) {
  const std::string svg = block_diagram(topology::MazeLinks(8, 8), 28);
  EXPECT_EQ(count(svg, "class=\"head "), 14U);
  for (const char* label : {"x[0]:0", "x[1]:1", "x[2]:2", "x[3]:3", "x[4]:2", "x[5]:1", "x[6]:0",
                            "y[0]:0", "y[1]:1", "y[2]:2", "y[3]:3", "y[4]:2", "y[5]:1", "y[6]:0"}) {
    EXPECT_EQ(count(svg, fmt::format(">{}<", label)), 1U) << label;
  }
  for (unsigned node = 0; node < 64; ++node) {
    EXPECT_THAT(svg, HasSubstr(fmt::format(">{}</text>", node)));
  }
}

TEST(LinkDiagram, HasAStageForEveryIrsLp) {
  EXPECT_EQ(count(link_diagram(3), ">IRS_LP<"), 3U);
  EXPECT_EQ(count(link_diagram(0), ">IRS_LP<"), 0U);
}

TEST(LinkRecorder, ShowsAFullLinkBeingReleasedCycleByCycle) {
  const auto& scenarios = shipped_scenarios();
  EXPECT_EQ(scenarios[2].name, "stall");
  // Six packets enter, the seventh waits; the room made at the far end is seen three cycles later.
  EXPECT_EQ(recorded(scenarios[2]),
            "cycle       0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18\n"
            "rst_n       1  1  1  1  1  1  1  1  1  1  1  1  1  1  1  1  1  1  1\n"
            "xo_vld[3]   1  1  1  1  1  1  1  1  1  1  1  1  1  1  0  0  0  0  0\n"
            "xo_rdy[3]   1  1  1  1  1  1  0  0  0  0  0  0  1  1  1  1  1  1  1\n"
            "xo_data[3] A0 A1 A2 A3 A4 A5 A6 A6 A6 A6 A6 A6 A6 A7  .  .  .  .  .\n"
            "held        0  1  2  3  4  5  6  6  6  6  5  4  3  3  3  2  1  0  0\n"
            "xi_vld[3]   0  0  0  1  1  1  1  1  1  1  1  1  1  1  1  1  1  0  0\n"
            "xi_rdy[3]   0  0  0  0  0  0  0  0  0  1  1  1  1  1  1  1  1  1  1\n"
            "xi_data[3]  .  .  . A0 A0 A0 A0 A0 A0 A0 A1 A2 A3 A4 A5 A6 A7  .  .\n");
}

TEST(LinkRecorder, RefusesAnotherFabric) {
  sim::ReferenceDut dut({4, 4, 8});
  EXPECT_THROW((void)record(dut, shipped_scenarios()[0]), std::invalid_argument);
}

TEST(TimingDiagram, MarksEveryEdgeAtWhichAPacketMoves) {
  sim::ReferenceDut dut({8, 8, 8});
  const Scenario& stall = shipped_scenarios()[2];
  // Eight packets, each accepted once and delivered once.
  EXPECT_EQ(count(timing_diagram(stall, record(dut, stall)), "<circle"), 16U);
}

TEST(MazeTopoPage, ShowsTheRecordedWaves) {
  const std::string page = common::read_text_file(places::source("/docs/maze-topo.md"));
  for (const Scenario& scenario : shipped_scenarios()) {
    EXPECT_THAT(page, HasSubstr(recorded(scenario))) << scenario.name;
  }
}

}  // namespace
}  // namespace kernbench::docs

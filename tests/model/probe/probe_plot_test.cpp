// SPDX-License-Identifier: Apache-2.0
// The plot of a probe shows every case without overlaps, and equal results give equal text.
#include "model/probe/probe_plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "tests/plot/svg_check.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::probe {
namespace {

using common::SimTime;
using plot::sample::find_illegible;
using plot::sample::read_svg;
using plot::sample::without_looks;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Results = std::vector<std::vector<ProbeResult>>;

ProbeCase named(Family family, const std::string& label) {
  ProbeCase probe;
  probe.family = family;
  probe.label = label;
  return probe;
}

/// Returns a result that took `times_the_ideal` of the time at 1000 GB/s (1 ps a byte).
ProbeResult measured(std::uint64_t bytes, std::int64_t times_the_ideal) {
  ProbeResult result;
  result.bytes = bytes;
  result.actual = SimTime::from_ps(static_cast<std::int64_t>(bytes) * times_the_ideal);
  result.bottleneck_gbs = 1000;
  return result;
}

struct Sweep {
  std::vector<ProbeCase> cases;
  Results results;
};

/// The shipped system at three sizes.
const Sweep& default_sweep() {
  static const Sweep sweep = [] {
    const topology::TopologySpec spec;
    const auto graph = compile_topology(spec);
    Sweep made{probe_cases(graph), {}};
    made.results = run_probes(graph, made.cases, {256, 16384, 1U << 20U}, 2);
    return made;
  }();
  return sweep;
}

std::string default_plot() {
  return probe_plot(default_sweep().cases, default_sweep().results);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(ProbePlot, PutsSizesOnALogarithmicAndUtilizationOnALinearAxis) {
  // 25 % at the first size, 50 % at the middle one and 100 % at the last.
  const Results results = {
      {measured(256, 4), measured(65536, 2), measured(std::uint64_t{16} << 20U, 1)}};
  const std::string svg = without_looks(probe_plot({named(Family::HostRead, "cube 0")}, results));
  // The plot is 300 wide from x = 68 and 320 high down to y = 440.
  EXPECT_THAT(svg, HasSubstr("<path d=\"M68 360 L218 280 L368 120\" class=\"curve d2h0\"/>"));
  EXPECT_THAT(svg, HasSubstr("<title>d2h cube 0\n256 B: 25.0 %\n64 KiB: 50.0 %\n16 MiB: 100.0 %"));
  EXPECT_THAT(svg, HasSubstr("<text x=\"60\" y=\"444\" text-anchor=\"end\" class=\"soft\">0<"));
  EXPECT_THAT(svg, HasSubstr("<text x=\"60\" y=\"124\" text-anchor=\"end\" class=\"soft\">100<"));
}

TEST(ProbePlot, HasATitleAndAnAxisTitleForEachPanel) {
  const std::string svg = default_plot();
  EXPECT_THAT(svg, HasSubstr(">Utilization of the narrowest wire or memory slice, by transfer"));
  EXPECT_EQ(count(svg, ">transfer size (log scale)</text>"), 3U);
  EXPECT_EQ(count(svg, ">utilization, %</text>"), 3U);
}

TEST(ProbePlot, DrawsACurveAndALegendEntryForEveryCase) {
  const std::string svg = default_plot();
  for (const ProbeCase& probe : default_sweep().cases) {
    const std::string title = std::string(name(probe.family)) + " " + probe.label;
    EXPECT_EQ(count(svg, "<title>" + title + "\n"), 1U) << title;
  }
  EXPECT_EQ(count(svg, "<g class=\"case\""), 18U);
  EXPECT_EQ(count(svg, "class=\"label\""), 18U);
}

TEST(ProbePlot, ListsAPanelsCasesFromTheHighestCurveToTheLowest) {
  const Results results = {{measured(256, 4), measured(1024, 3)},
                           {measured(256, 2), measured(1024, 1)},
                           {measured(256, 3), measured(1024, 2)}};
  const std::string svg = probe_plot(
      {named(Family::PeDma, "low"), named(Family::PeDma, "high"), named(Family::PeDma, "middle")},
      results);
  const std::regex label("class=\"label\">([a-z]+)<");
  std::vector<std::string> labels;
  for (std::sregex_iterator it(svg.begin(), svg.end(), label); it != std::sregex_iterator(); ++it) {
    labels.push_back((*it)[1]);
  }
  EXPECT_THAT(labels, ElementsAre("high", "middle", "low"));
}

TEST(ProbePlot, LeavesOutPanelsOfFamiliesWithoutCases) {
  const std::string svg =
      probe_plot({named(Family::HostRead, "a")}, {{measured(256, 4), measured(1024, 3)}});
  EXPECT_THAT(svg, Not(HasSubstr("h2d:")));
  EXPECT_THAT(svg, HasSubstr(">d2h: reads of the host</text>"));
  EXPECT_THAT(find_illegible(read_svg(svg)), IsEmpty());
}

TEST(ProbePlot, NeverLetsTwoLabelsOverlapOrLeaveThePicture) {
  EXPECT_THAT(find_illegible(read_svg(default_plot())), IsEmpty());
  // Sizes too close to label all of them, many cases, and a long name.
  Sweep crowd;
  for (int i = 0; i < 40; ++i) {
    crowd.cases.push_back(named(Family::PeDma, i == 7 ? std::string(80, 'm') : "case"));
    std::vector<ProbeResult> row;
    for (std::uint64_t bytes = 1000; bytes < 1100; bytes += 10) row.push_back(measured(bytes, 2));
    crowd.results.push_back(row);
  }
  EXPECT_THAT(find_illegible(read_svg(probe_plot(crowd.cases, crowd.results))), IsEmpty());
}

TEST(ProbePlot, IsSeenToOverlapByTheCheckThatSaysItDoesNot) {
  std::string svg = default_plot();
  const std::size_t at = svg.find("y=\"54\"");
  ASSERT_NE(at, std::string::npos);
  svg.replace(at, 6, "y=\"36\"");  // moves the subtitle onto the title
  EXPECT_THAT(find_illegible(read_svg(svg)), Not(IsEmpty()));
}

TEST(ProbePlot, GivesEveryCurveOfAFamilyAColourOfItsOwnOnBothGrounds) {
  const std::string svg = default_plot();
  // Each curve has its colour in an attribute, and another one for the dark theme.
  const std::regex curve(R"re(stroke="(#[0-9a-f]{6})"[^>]* class="curve )re");
  const std::regex rule(R"re(dark"\] \.[a-z0-9_]+[0-9] \{ stroke: (#[0-9a-f]{6}); \})re");
  const auto colours_of = [&svg](const std::regex& pattern) {
    std::set<std::string> colours;
    for (std::sregex_iterator it(svg.begin(), svg.end(), pattern); it != std::sregex_iterator();
         ++it) {
      colours.insert((*it)[1]);
    }
    return colours;
  };
  EXPECT_EQ(colours_of(curve).size(), 18U);
  EXPECT_EQ(colours_of(rule).size(), 18U);
}

TEST(ProbePlot, IsTheSameTextEachTime) {
  EXPECT_EQ(default_plot(), default_plot());
}

TEST(ProbePlot, RefusesWhatIsNoSweep) {
  EXPECT_THROW((void)probe_plot({}, {}), std::invalid_argument);
  EXPECT_THROW((void)probe_plot({named(Family::PeDma, "a")}, {}), std::invalid_argument);
  EXPECT_THROW((void)probe_plot({named(Family::PeDma, "a")}, {{measured(256, 1)}}),
               std::invalid_argument);
}

TEST(SizeText, UsesTheLargestUnitThatDivides) {
  EXPECT_EQ(size_text(255), "255 B");
  EXPECT_EQ(size_text(1024), "1 KiB");
  EXPECT_EQ(size_text(1025), "1025 B");
  EXPECT_EQ(size_text(1536U << 10U), "1536 KiB");
  EXPECT_EQ(size_text(std::uint64_t{3} << 30U), "3072 MiB");
}

}  // namespace
}  // namespace kernbench::model::probe

// SPDX-License-Identifier: Apache-2.0
// Charts of small sweeps: their names, axes and points, and values that a chart must survive.
#include "farm/charts.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "farm/quantity.hpp"

namespace kernbench::farm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

struct ChartRow {
  std::vector<std::string> parameters;
  std::vector<nlohmann::json> targets;
};

Table chart_table(const std::vector<Target>& targets, const std::vector<ChartRow>& rows) {
  Table table;
  table.command = {"run"};
  table.targets = targets;
  for (std::size_t p = 0; p < rows.front().parameters.size(); ++p) {
    table.parameters.push_back(fmt::format("p{}", p));
  }
  for (const ChartRow& one : rows) {
    Row& row = table.rows.emplace_back();
    row.parameters = one.parameters;
    row.targets = one.targets;
  }
  return table;
}

std::vector<Chart> charts_in(const Table& table) {
  return charts_of(table, pareto_front(table), main_effects(table), ChartUse::Page);
}

std::vector<std::string> names_of(const std::vector<Chart>& charts) {
  std::vector<std::string> names;
  for (const Chart& chart : charts) names.push_back(chart.name);
  return names;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(SweepCharts, ShowTheFrontAndEachTargetOverEachParameter) {
  const std::vector<Chart> charts = charts_in(chart_table(
      {{"t_ps", Direction::Min}, {"none", Direction::None}, {"u", Direction::Max}},
      {{{"1", "a"}, {10000, 1, 5}}, {{"2", "a"}, {20000, 2, 4}}, {{"2", "b"}, {30000, 3, 9}}}));
  EXPECT_THAT(
      names_of(charts),
      ElementsAre("front", "t_ps-over-p0-and-p1", "t_ps-over-p0-by-p1", "t_ps-over-p0",
                  "t_ps-over-p1", "none-over-p0-and-p1", "none-over-p0-by-p1", "none-over-p0",
                  "none-over-p1", "u-over-p1-and-p0", "u-over-p1-by-p0", "u-over-p1", "u-over-p0"));
  EXPECT_EQ(charts[0].target, 2U);
  EXPECT_THAT(charts[0].svg, HasSubstr("<title>u over t_ps</title>"));
  EXPECT_THAT(charts[0].svg, HasSubstr(">t_ps in ns</text>"));
  EXPECT_THAT(charts[0].svg, HasSubstr("<title>p0=1, p1=a\nt_ps: 10000\nu: 5</title>"));
  EXPECT_EQ(occurrences(charts[0].svg, "class=\"marker front\""), 3U) << "two rows and the legend";
  EXPECT_EQ(occurrences(charts[0].svg, "class=\"marker point\""), 2U) << "a row and the legend";
  EXPECT_THAT(charts[0].svg, HasSubstr(">1</text>")) << "rows of the front are numbered";
  EXPECT_THAT(charts[1].svg, HasSubstr("<title>p0=2, p1=b: 30 ns</title>"));
  EXPECT_EQ(occurrences(charts[1].svg, "class=\"best\""), 2U) << "a cell and the legend";
  EXPECT_THAT(charts[2].svg, HasSubstr("<title>p1=a, p0=2: 20000</title>"));
  EXPECT_THAT(charts[3].svg, HasSubstr("<title>p0=2: mean 25000</title>"));
  EXPECT_THAT(charts[4].svg, HasSubstr(">a</text>")) << "a value that is not a number is a tick";
}

TEST(SweepCharts, HaveNoFrontForOneTargetWithADirection) {
  const std::vector<Chart> charts =
      charts_in(chart_table({{"t", Direction::Min}, {"u", Direction::None}},
                            {{{"1"}, {1, 1}}, {{"2"}, {2, 2}}, {{"3"}, {3, "text"}}}));
  EXPECT_THAT(names_of(charts), ElementsAre("t-over-p0", "u-over-p0"));
  EXPECT_EQ(occurrences(charts[0].svg, "class=\"marker front\""), 2U);
}

TEST(SweepCharts, StandWithEqualNegativeAndHugeValues) {
  for (const std::vector<nlohmann::json>& values : std::vector<std::vector<nlohmann::json>>{
           {7, 7}, {0, 0}, {-3, -3}, {-5, 1e300}, {1e-300, 2}}) {
    const std::vector<Chart> charts = charts_in(
        chart_table({{"t", Direction::Min}, {"u", Direction::Max}},
                    {{{"4"}, {values[0], values[0]}}, {{"4.0"}, {values[1], values[1]}}}));
    ASSERT_THAT(charts, SizeIs(values[0] == values[1] ? 0 : 3)) << "constants are not drawn";
    for (const Chart& chart : charts) {
      EXPECT_THAT(chart.svg, Not(HasSubstr("nan"))) << values[0] << chart.name;
      EXPECT_THAT(chart.svg, Not(HasSubstr("inf"))) << values[0] << chart.name;
      EXPECT_THAT(chart.svg, Not(HasSubstr("-9223372036854775808"))) << values[0] << chart.name;
    }
  }
}

TEST(SweepCharts, HaveALogarithmicAxisWhereThePlanSaysSo) {
  Table table = chart_table({{"t", Direction::Min}}, {{{"1"}, {1}}, {{"2"}, {2}}, {{"8"}, {3}}});
  EXPECT_THAT(charts_in(table)[0].svg, Not(HasSubstr("p0, log scale")));
  table.log_parameters = {"p0"};
  EXPECT_THAT(charts_in(table)[0].svg, HasSubstr(">p0, log scale</text>"));
}

TEST(SweepCharts, HaveNoChartsOfTextsAndOfFailedRows) {
  Table table = chart_table({{"t", Direction::Min}, {"u", Direction::Max}},
                            {{{"1"}, {"a", 1}}, {{"2"}, {"b", 2}}});
  EXPECT_THAT(names_of(charts_in(table)), ElementsAre("u-over-p0"));
  for (Row& row : table.rows) row.outcome = common::Outcome::Timeout;
  EXPECT_THAT(charts_in(table), IsEmpty());
}

TEST(SweepCharts, HaveNumbersOnTheAxisIfOnlyFailedRowsHaveTexts) {
  Table table = chart_table({{"t", Direction::Min}}, {{{"1"}, {1}}, {{"2"}, {2}}, {{"many"}, {3}}});
  EXPECT_THAT(charts_in(table)[0].svg, HasSubstr(">many</text>"));
  table.rows[2].outcome = common::Outcome::BadInput;
  const std::string svg = charts_in(table)[0].svg;
  EXPECT_THAT(svg, Not(HasSubstr("many")));
  EXPECT_EQ(occurrences(svg, "class=\"marker mean hollow\""), 2U + 1U);
}

TEST(SweepCharts, EscapeNamesAndMakeThemNamesOfFiles) {
  Table table = chart_table({{"/a<b", Direction::Min}}, {{{"x<&\""}, {1}}, {{"y"}, {2}}});
  table.parameters = {"p&q"};
  const std::vector<Chart> charts = charts_in(table);
  EXPECT_THAT(names_of(charts), ElementsAre("_a_b-over-p_q"));
  EXPECT_THAT(charts[0].svg, HasSubstr("<title>/a&lt;b over p&amp;q</title>"));
  EXPECT_THAT(charts[0].svg, HasSubstr(">x&lt;&amp;&quot;</text>"));
}

TEST(SweepCharts, ThinManyPointsButNotTheFront) {
  std::vector<ChartRow> rows;
  for (int i = 0; i < 2001; ++i) rows.push_back({{std::to_string(i)}, {i == 2000 ? -1 : i}});
  const std::vector<Chart> charts = charts_in(chart_table({{"t", Direction::Min}}, rows));
  EXPECT_EQ(occurrences(charts[0].svg, "class=\"marker point\""), 667U + 1U) << "every third";
  EXPECT_EQ(occurrences(charts[0].svg, "class=\"marker front\""), 2U);
}

TEST(SweepCharts, HaveAStyleOfTheirOwnInAFile) {
  const Table table = chart_table({{"t", Direction::Min}}, {{{"1"}, {1}}, {{"2"}, {2}}});
  const auto svg = [&](ChartUse use) {
    return charts_of(table, {}, main_effects(table), use).front().svg;
  };
  EXPECT_THAT(svg(ChartUse::File), HasSubstr("fill=\"#0b6aa8\" stroke=\"#0b6aa8\""));
  EXPECT_THAT(svg(ChartUse::Page), HasSubstr("Z\" class=\"marker point\">"));
}

TEST(Quantity, IsATimeByTheEndOfItsName) {
  EXPECT_EQ(quantity_of("data.end_ps", 15'275'130).label, "data.end_ps in us");
  EXPECT_DOUBLE_EQ(quantity_of("data.end_ps", 15'275'130).unit, 1e6);
  EXPECT_EQ(quantity_of("data.end_ps", 900).label, "data.end_ps in ps");
  EXPECT_EQ(quantity_of("wait_ns", 0).label, "wait_ns in ns");
  EXPECT_EQ(quantity_of("wait_s", 1e-5).label, "wait_s in us");
}

TEST(Quantity, IsCountedInThousandsOrMillions) {
  EXPECT_EQ(quantity_of("hops", 9999).label, "hops");
  EXPECT_EQ(quantity_of("hops", 10'000).label, "hops in thousands");
  EXPECT_EQ(quantity_of("ps", 2e6).label, "ps in millions");
  EXPECT_EQ(quantity_of("error", 2e-5).label, "error in millionths");
  EXPECT_EQ(quantity_of("hops", 1e300).unit, 1e12);
}

TEST(Quantity, HasPlainNumbers) {
  EXPECT_EQ(plain_number(13'621'032.4), "13621032");
  EXPECT_EQ(plain_number(0.1234567), "0.123457");
  EXPECT_EQ(plain_number(-2e15), "-2e+15");
}

}  // namespace
}  // namespace kernbench::farm

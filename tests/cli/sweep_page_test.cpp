// SPDX-License-Identifier: Apache-2.0
// The page of a sweep: exact rows, counts and notes, also of sweeps without anything to draw.
#include "cli/farm/sweep_page.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace kernbench::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

farm::Row page_row(const std::string& key, std::vector<std::string> parameters,
                   std::vector<nlohmann::json> targets) {
  farm::Row row;
  row.key = key;
  row.parameters = std::move(parameters);
  row.targets = std::move(targets);
  return row;
}

/// Three rows, the last of them failed, of four points.
farm::Table small_sweep() {
  farm::Table table;
  table.command = {"run", "gemm"};
  table.parameters = {"bench.m", "mode"};
  table.targets = {{"data.end_ps", farm::Direction::Min}, {"data.hops", farm::Direction::Max}};
  table.plan = "command: [run]  # <plan>\n";
  table.planned = 4;
  table.rows = {page_row("k0", {"128", "a"}, {2000, 7}), page_row("k1", {"256", "b"}, {1000, 8}),
                page_row("k2", {"512", "a"}, {nullptr, nullptr})};
  table.rows[2].outcome = common::Outcome::Deadlock;
  table.rows[0].grade = table.rows[1].grade = "exact";
  table.rows[2].message = "no event, <1> waits";
  return table;
}

TEST(SweepPage, HasCommandCountsFrontRowsAndPlan) {
  const std::string page = sweep_page(small_sweep());
  EXPECT_THAT(page, HasSubstr("<title>Sweep of kernbench run</title>"));
  EXPECT_THAT(page,
              HasSubstr("<header class=\"card failed\">\n<div class=\"title\"><span "
                        "class=\"badge bad\">failed points</span><h1>Sweep of kernbench run</h1>"
                        "</div>\n"));
  EXPECT_THAT(page, HasSubstr("<code class=\"command\">kernbench run gemm</code>"));
  EXPECT_THAT(page, HasSubstr("<dd>data.end_ps, less is better; data.hops, more is better</dd>"));
  EXPECT_THAT(page, HasSubstr("<div class=\"tiles\">\n"
                              "<div class=\"tile short\"><b>3/4</b><span>points have a row</span>"
                              "</div>\n<div class=\"tile\"><b>2</b><span>pass</span></div>\n"
                              "<div class=\"tile short\"><b>1</b><span>deadlock</span></div>\n"));
  const std::string head =
      "<th class=\"n\" title=\"bench.m\">m</th><th title=\"mode\">mode</th>"
      "<th>outcome</th><th>grade</th><th class=\"n\">data.end_ps</th><th "
      "class=\"n\">data.hops</th><th>key</th>"
      "</tr></thead>\n<tbody>\n";
  EXPECT_THAT(
      page,
      HasSubstr(
          "<h2>Pareto front: 1 of 3 rows</h2>\n<div class=\"scroll\" "
          "role=\"region\" tabindex=\"0\" aria-label=\"Pareto front\">\n"
          "<table class=\"rows sortable\">\n<thead><tr><th "
          "class=\"n\">number</th>" +
          head +
          "<tr><td class=\"n\">1</td><td class=\"n\">256</td><td>b</td><td>pass</td><td>exact</td>"
          "<td class=\"n\">1000</td><td class=\"n\">8</td>"
          "<td><code>k1</code></td></tr>\n</tbody>\n</table>\n</div>\n"));
  EXPECT_THAT(page,
              HasSubstr(head + "<tr><td class=\"n\">128</td><td>a</td><td>pass</td><td>exact</td>"
                               "<td class=\"n\">2000</td><td class=\"n\">7</td>"
                               "<td><code>k0</code></td></tr>\n"
                               "<tr class=\"best\"><td class=\"n\">256</td>"));
  EXPECT_THAT(page, HasSubstr("<pre>command: [run]  # &lt;plan&gt;\n</pre>"));
  EXPECT_EQ(page.find("<script"), page.rfind("<script")) << "only that of the page";
}

TEST(SweepPage, HasTheEffectOfEachParameterAsABar) {
  farm::Table table = small_sweep();
  table.rows[2] = page_row("k2", {"128", "b"}, {1500, 7.5});
  const std::string page = sweep_page(table);
  EXPECT_THAT(page, HasSubstr("<tr><td>bench.m</td><td class=\"n\">1000</td>"
                              "<td class=\"n\">1750</td><td class=\"n\">750</td><td class=\"wide\">"
                              "<span class=\"bar\"><i style=\"width:100.0%\"></i></span></td>"
                              "</tr>\n"));
  EXPECT_THAT(page, HasSubstr("<tr><td>mode</td><td class=\"n\">7</td><td class=\"n\">7.75</td>"
                              "<td class=\"n\">0.75</td><td class=\"wide\"><span class=\"bar\">"
                              "<i style=\"width:100.0%\"></i></span></td></tr>\n"));
}

TEST(SweepPage, HasFailedPointsInATableOfTheirOwnBeforeTheOthers) {
  const std::string page = sweep_page(small_sweep());
  EXPECT_THAT(page, HasSubstr("<h2>1 failed point</h2>\n"));
  EXPECT_THAT(page, HasSubstr("<th>outcome</th><th>message</th><th>key</th></tr></thead>\n<tbody>\n"
                              "<tr><td class=\"n\">512</td><td>a</td>"
                              "<td><span class=\"badge bad\">deadlock</span></td>"
                              "<td class=\"message\">no event, &lt;1&gt; waits</td>"
                              "<td><code>k2</code></td></tr>\n"));
  EXPECT_LT(page.find(">1 failed point</h2>"), page.find(">Pareto front: 1 of 3 rows</h2>"));
}

TEST(SweepPage, StandsWithoutRows) {
  farm::Table table = small_sweep();
  table.rows.clear();
  const std::string page = sweep_page(table);
  EXPECT_THAT(page, HasSubstr("<b>0/4</b><span>points have a row</span>"));
  EXPECT_THAT(page, HasSubstr("<span class=\"badge bad\">vacuous</span>"));
  EXPECT_THAT(page, HasSubstr("<h2>No rows</h2>\n<p>No point has a row.</p>\n"));
  EXPECT_THAT(page, Not(HasSubstr("<svg")));
}

TEST(SweepPage, StandsWithOneRowAndWithFailedRowsOnly) {
  farm::Table table = small_sweep();
  table.rows.resize(1);
  const std::string one = sweep_page(table);
  EXPECT_THAT(one, HasSubstr("<h2>Pareto front: 1 of 1 row</h2>"));
  EXPECT_THAT(one, HasSubstr("<title>data.hops over data.end_ps</title>"));
  EXPECT_THAT(one, HasSubstr("<span class=\"badge good\">pass</span>"));
  EXPECT_THAT(one, Not(HasSubstr("nan")));
  table.rows[0].outcome = common::Outcome::Timeout;
  const std::string failed = sweep_page(table);
  EXPECT_THAT(failed, HasSubstr("<div class=\"tile short\"><b>1</b><span>timeout</span></div>"));
  EXPECT_THAT(failed, Not(HasSubstr("Pareto front:")));
  EXPECT_THAT(failed, Not(HasSubstr("<svg")));
}

TEST(SweepPage, ShowsTheFirstThousandRows) {
  farm::Table table = small_sweep();
  table.rows.clear();
  for (int i = 0; i < 1000; ++i) {
    table.rows.push_back(page_row(fmt::format("k{}", i), {"1", "a"}, {1000 + i, 1000 - i}));
  }
  EXPECT_THAT(sweep_page(table), Not(HasSubstr(" more; the CSV file")));
  table.rows.push_back(page_row("last", {"1", "a"}, {1, 1}));
  const std::string page = sweep_page(table);
  EXPECT_THAT(page, HasSubstr("<code>k999</code></td></tr>\n</tbody>\n</table>\n</div>\n"
                              "<p class=\"dim\">and 1 more; the CSV file has all rows</p>\n"));
  EXPECT_EQ(page.find("<code>last</code>"), page.rfind("<code>last</code>")) << "only on the front";
}

TEST(SweepPage, EscapesNamesAndTakesTextsAsTargets) {
  farm::Table table = small_sweep();
  table.parameters = {"a<&\"", "mode"};
  table.targets[0].name = "/x<&\"";
  table.rows[0].targets[0] = "<script>";
  const std::string page = sweep_page(table);
  EXPECT_THAT(page, HasSubstr("<th class=\"n\" title=\"a&lt;&amp;&quot;\">a&lt;&amp;&quot;</th>"));
  EXPECT_THAT(page, HasSubstr("<th>/x&lt;&amp;&quot;</th>"));
  EXPECT_THAT(page, HasSubstr("<td>&lt;script&gt;</td>"));
  EXPECT_EQ(page.find("<script"), page.rfind("<script")) << "only that of the page";
  EXPECT_THAT(page, Not(HasSubstr("a<&")));
}

}  // namespace
}  // namespace kernbench::cli

// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html_report.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/markup.hpp"
#include "plot/report_assets.hpp"
#include "tests/sim/report_sample.hpp"
#include "tests/sim/report_xml_check.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {
namespace {

using testing::HasSubstr;
using testing::Not;

RegressionResult saturated(unsigned nx, unsigned ny) {
  RegressionResult r = sample::passing_result();
  r.shape = {nx, ny, 8};
  r.link_packets.assign(r.shape.links(), 123'456);
  r.link_stalls.assign(r.shape.links(), 99);
  return r;
}

TEST(HtmlReport, HasACellForEveryLink) {
  const std::string page = html_report(saturated(8, 8), {});
  const topology::MazeLinks links(8, 8);
  for (const topology::MazeLink& link : links.links()) {
    EXPECT_THAT(page, HasSubstr("data-t=\"" + common::escape_markup(links.link_name(link)) +
                                "&#10;123,456 packets, 99 stalls\""));
  }
  EXPECT_THAT(page, HasSubstr("<b>896/896</b><span>links delivered</span>"));
}

TEST(HtmlReport, PutsTheCountsOfALinkIntoTheRowOfItsReceiver) {
  RegressionResult r = sample::passing_result();
  r.link_packets[1 * 4 + 2] = 1;
  r.link_stalls[1 * 4 + 2] = 1;
  const std::string page = html_report(r, {});
  const std::size_t row = page.find("<th>[1,0]");
  ASSERT_NE(row, std::string::npos);
  EXPECT_THAT(page.substr(row, page.find("<th>[1,1]") - row),
              HasSubstr("data-t=\"[0,0].y[0] -&gt; [1,0].y[0]&#10;1 packet, 1 stall\""));
}

TEST(HtmlReport, MarksLinksThatDeliveredNothingAndLinksThatFailed) {
  RegressionResult r = sample::failing_result();
  r.link_stalls[0] = 0;
  const std::string page = html_report(r, {});
  EXPECT_THAT(page, HasSubstr("<td class=\"dead fail\" data-t=\"[0,1].x[0] -&gt; [0,0].x[0]&#10;"
                              "0 packets, 0 stalls\">"));
  EXPECT_THAT(page, HasSubstr("<div class=\"tile short\"><b>7/8</b><span>links delivered</span>"));
  EXPECT_THAT(html_report(sample::passing_result(), {}), Not(HasSubstr("<td class=\"dead")));
}

TEST(HtmlReport, DoesNotBlameALinkOnWhichAFaultWasInjected) {
  RegressionResult r = sample::passing_result();
  r.cases.push_back(sample::failing_case("faults", 1));
  r.cases.back().fault = sample::fault_case("drop", {}).fault;
  const std::string page = html_report(r, {});
  EXPECT_THAT(page, HasSubstr("[0,1].x[0] -&gt; [0,0].x[0]&#10;2,000 packets"));
  EXPECT_THAT(page, Not(HasSubstr(" fail\"")));
}

TEST(HtmlReport, EscapesWhatMessagesHold) {
  RegressionResult r = sample::failing_result();
  r.cases[2].suite = "<b>bursts</b>";
  r.command = "kernbench sim '<i>'";
  const std::string page = html_report(r, {});
  EXPECT_THAT(page, HasSubstr("data &lt;0x5a&gt; &amp; &#39;more&#39;"));
  EXPECT_THAT(page, HasSubstr("expected &lt;1&gt; &amp; got &quot;2&quot;"));
  EXPECT_THAT(page, HasSubstr("&lt;b&gt;bursts&lt;/b&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("<0x5a>")));
  EXPECT_THAT(page, Not(HasSubstr("<b>bursts")));
  EXPECT_THAT(page, Not(HasSubstr("<i>'")));
}

TEST(HtmlReport, LinksToTheWavesOfAFailure) {
  const std::string page = html_report(sample::failing_result(), {});
  EXPECT_THAT(page, HasSubstr("<a href=\"failures/bursts-seed7/failure.html\">failures/bursts-"
                              "seed7/failure.html</a>"));
  EXPECT_THAT(page,
              HasSubstr("<p class=\"dim\">cause</p>\n<pre>first wrong: link &lt;1&gt;</pre>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"waves/a%20b%231.fst\">waves/a b#1.fst</a>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"waves/a%20b%231.gtkw\">waves/a b#1.gtkw</a>"));
}

TEST(HtmlReport, ShowsProofsAndLinksToThem) {
  RegressionResult r = sample::passing_result();
  EXPECT_THAT(html_report(r, {}), Not(HasSubstr("Proofs")));
  r.proofs = sample::proofs();
  EXPECT_THAT(html_report(r, {}),
              HasSubstr("<h2>Proofs</h2>\n<p>184 of 187 properties proven, 2 refuted, 1 "
                        "undecided</p>\n<p><a href=\"../prove/a%20b.html\">every property</a>"));
  r.proofs->link.clear();
  EXPECT_THAT(html_report(r, {}), Not(HasSubstr("every property")));
}

TEST(HtmlReport, ShowsTheKillMatrix) {
  RegressionResult r = sample::empty_result();
  r.cases = {sample::fault_case("drop", {"scoreboard", "lockstep"}),
             sample::fault_case("reorder", {"scoreboard"}), sample::fault_case("reorder", {})};
  const std::string page = html_report(r, {});
  EXPECT_THAT(page, HasSubstr("<tr><td>drop</td><td><span class=\"badge good\">1/1</span></td>"
                              "<td><span class=\"badge good\">1/1</span></td>"
                              "<td><span class=\"badge good\">1/1</span></td></tr>\n"));
  EXPECT_THAT(page, HasSubstr("<tr><td>reorder</td><td><span class=\"badge bad\">1/2</span></td>"
                              "<td><span class=\"badge warn alone\">1/2</span></td>"
                              "<td><span class=\"badge dim\">0/2</span></td></tr>\n"));
  EXPECT_THAT(page, HasSubstr("<b>2/3</b><span>faults caught</span>"));
}

TEST(HtmlReport, ListsMissedBins) {
  const std::string page = html_report(sample::passing_result(), sample::coverage());
  EXPECT_THAT(page, HasSubstr("<b>93.7 %</b><span>functional coverage</span>"));
  EXPECT_THAT(page, HasSubstr("stalled: 1 bin missed"));
  EXPECT_THAT(page, HasSubstr("<li>stalled.[0,0].x[0] -&gt; [0,1].x[0]</li>\n"));
}

TEST(HtmlReport, ListsThreeHundredMissedBinsOfAGroupAndSaysHowManyMoreThereAre) {
  CoverageSummary coverage;
  coverage.groups.push_back({"stalled", 0, 300, std::vector<std::string>(300, "a bin")});
  EXPECT_THAT(html_report(sample::passing_result(), coverage), Not(HasSubstr("more, listed in")));
  coverage.groups.front().missed.emplace_back("the last one");
  const std::string page = html_report(sample::passing_result(), coverage);
  EXPECT_THAT(page, HasSubstr("and 1 more, listed in report.json"));
  EXPECT_THAT(page, Not(HasSubstr("the last one")));
}

TEST(HtmlReport, LoadsNothingAndRunsOnlyTheScriptOfAllReports) {
  const std::string page = html_report(sample::failing_result(), sample::coverage());
  for (const char* reference : {"http://", "https://", "src=", "@import", "url(", "fetch(",
                                "XMLHttpRequest", "WebSocket", "sendBeacon", "import("}) {
    EXPECT_THAT(page, Not(HasSubstr(reference)));
  }
  const std::size_t script = page.find("<script");
  ASSERT_NE(script, std::string::npos);
  EXPECT_EQ(page.find("<script", script + 1), std::string::npos);
  EXPECT_THAT(page, HasSubstr(fmt::format("<script>\n{}</script>", plot::report_script())));
}

TEST(HtmlReport, TheCommandsOfAFailureHaveAButtonThatCopiesThem) {
  const std::string page = html_report(sample::failing_result(), {});
  EXPECT_THAT(page,
              HasSubstr("run again</span><code class=\"command\">kernbench sim --suite bursts "
                        "--seed 7</code><button type=\"button\" hidden=\"hidden\">copy</button>"));
  EXPECT_THAT(
      page,
      HasSubstr("view waves</span><code class=\"command\">gtkwave "
                "&#39;/r/waves/a b#1.gtkw&#39;</code><button type=\"button\" hidden=\"hidden\">"));
}

TEST(HtmlReport, SaysEachFailureOnce) {
  RegressionResult r = sample::failing_result();
  r.cases[2].reason = "[0,1].x[0] -> [0,0].x[0]: ready is 1, the reference has 0";
  r.cases[2].failures = {{"lockstep", "ready", 8, LinkEnd{1, 0}, r.cases[2].reason}};
  const std::string page = html_report(r, {});
  const std::string text = "ready is 1, the reference has 0";
  const std::size_t first = page.find(text);
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(page.find(text, first + 1), std::string::npos);
  EXPECT_THAT(page,
              HasSubstr("<td class=\"message\">[0,1].x[0] -&gt; [0,0].x[0]: " + text + "</td>"));
}

TEST(HtmlReport, FoldsTheGroupsAtOneHundredPercent) {
  const std::string page = html_report(sample::passing_result(), sample::coverage());
  EXPECT_THAT(page, HasSubstr("<p>15 of 16 bins, 93.7 %</p>"));
  EXPECT_THAT(page, HasSubstr("<details><summary>1 group at 100 %</summary>"));
  EXPECT_LT(page.find("<td>stalled</td>"), page.find("<summary>1 group at 100 %</summary>"));
  EXPECT_GT(page.find("<td>delivered</td>"), page.find("<summary>1 group at 100 %</summary>"));
}

TEST(HtmlReport, DoesNotListBinsThatTheRunWasNotAskedToCover) {
  RegressionResult r = sample::passing_result();
  r.full_coverage = false;
  const std::string page = html_report(r, sample::coverage());
  EXPECT_THAT(page, HasSubstr("<p>15 of 16 bins, 93.7 %; not required of this run</p>\n"
                              "<details><summary>2 groups</summary>"));
  EXPECT_THAT(page, Not(HasSubstr("Missed bins")));
  EXPECT_THAT(page, Not(HasSubstr("<span>functional coverage</span>")));
}

TEST(HtmlReport, OfFaultsAloneShowsNoLinks) {
  RegressionResult r = sample::empty_result();
  r.link_packets.assign(8, 0);
  r.cases = {sample::fault_case("drop", {"scoreboard"})};
  const std::string page = html_report(r, {});
  EXPECT_THAT(page, Not(HasSubstr("links delivered")));
  EXPECT_THAT(page, Not(HasSubstr("links by receiving node")));
  EXPECT_THAT(page, HasSubstr("<b>1/1</b><span>faults caught</span>"));
}

TEST(HtmlReport, ShowsTheHostTimeOfASuite) {
  EXPECT_THAT(html_report(sample::passing_result(), {}),
              HasSubstr("<td class=\"n\" data-v=\"0.500\">0.50 s</td></tr>"));
}

TEST(HtmlReport, IsWellFormed) {
  const std::string doctype = "<!DOCTYPE html>\n";
  for (const RegressionResult& r : {sample::passing_result(), sample::failing_result()}) {
    const std::string page = html_report(r, sample::coverage());
    ASSERT_EQ(page.substr(0, doctype.size()), doctype);
    EXPECT_NO_THROW(sample::read_xml("<?xml version=\"1.0\" encoding=\"UTF-8\"?>" +
                                     page.substr(doctype.size())));
  }
}

TEST(HtmlReport, StaysBelowAMegabyteForTheLargestFabricAndManyFailures) {
  RegressionResult r = saturated(16, 16);
  CaseResult bad = sample::failing_case("bursts", 1);
  bad.failures.resize(20, bad.failures[0]);
  r.cases.insert(r.cases.end(), 1000, bad);
  CoverageSummary coverage = sample::coverage();
  coverage.groups[1].missed.assign(100'000, coverage.groups[1].missed[0]);
  const std::string page = html_report(r, coverage);
  EXPECT_LT(page.size(), 1'000'000U);
  EXPECT_THAT(page, HasSubstr("1,000 cases did not pass"));
  EXPECT_THAT(page, HasSubstr("and 970 more, listed in report.json"));
  EXPECT_THAT(page, HasSubstr("and 99,700 more, listed in report.json"));
}

TEST(HtmlReport, ShowsHowManyCasesOfAnInterruptedRunPassed) {
  RegressionResult r = sample::passing_result();
  r.outcome = common::Outcome::Interrupted;
  r.planned = 5;
  EXPECT_THAT(html_report(r, {}),
              HasSubstr("<div class=\"tile short\"><b>2/5</b><span>cases passed</span>"));
}

TEST(HtmlReport, ShowsARunThatEndedBeforeItsFirstCase) {
  RegressionResult r = sample::empty_result();
  r.outcome = common::Outcome::InternalError;
  EXPECT_THAT(html_report(r, {}), HasSubstr("<span class=\"badge bad\">internal-error</span>"));
}

}  // namespace
}  // namespace kernbench::sim

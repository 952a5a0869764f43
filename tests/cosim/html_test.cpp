// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/html.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "cosim/report/curve_chart.hpp"
#include "cosim/report/json.hpp"
#include "cosim/report/transfer_paths.hpp"
#include "cosim/workload/workloads.hpp"
#include "tests/cosim/cosim_sample.hpp"
#include "tests/sim/reference_dut.hpp"
#include "tests/sim/report_xml_check.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {
namespace {

using model::fabric::TimedTransfer;
using model::fabric::TransferType;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

common::ReportEnvelope envelope(common::Outcome outcome) {
  common::ReportEnvelope report;
  report.outcome = outcome;
  report.seed = 7;
  report.config_hash = "00000000000000aa";
  report.revision = "r1";
  report.command = "kernbench cosim --topology '<i>'";
  return report;
}

std::string page(const std::vector<WorkloadResult>& results,
                 common::Outcome outcome = common::Outcome::Pass) {
  return html_report(results, sample::small_sip(), "configs/<small>.yaml", envelope(outcome));
}

void expect_well_formed(const std::string& html) {
  const std::string doctype = "<!DOCTYPE html>\n";
  ASSERT_EQ(html.substr(0, doctype.size()), doctype);
  EXPECT_NO_THROW(sim::sample::read_xml("<?xml version=\"1.0\" encoding=\"UTF-8\"?>" +
                                        html.substr(doctype.size())));
}

TEST(CosimHtml, IsWellFormed) {
  expect_well_formed(page({}));
  expect_well_formed(page({sample::at_load("a", 0.1), sample::at_load("a", 0.9),
                           sample::passing("b"), sample::failing("c")},
                          common::Outcome::Mismatch));
}

TEST(CosimHtml, ShowsEveryWorkloadWithItsErrors) {
  const std::string html = page({sample::at_load("spread", 0.1), sample::at_load("spread", 0.9),
                                 sample::passing("all<to>all")});
  EXPECT_THAT(html, HasSubstr("<h2>spread</h2>"));
  EXPECT_THAT(html, HasSubstr("<h2>all&lt;to&gt;all</h2>"));
  for (const char* row :
       {"<td>spread</td><td class=\"n\">0.1</td>", "<td>spread</td><td class=\"n\">0.9</td>",
        "<td>all&lt;to&gt;all</td><td class=\"n\">-</td>"}) {
    EXPECT_THAT(html, HasSubstr(std::string(row) +
                                "<td>rtl</td><td class=\"n\">0.00 %</td><td class=\"n\">50.00 %"
                                "</td><td class=\"n\">50.00 %</td><td class=\"n\">-25.00 %</td>"));
  }
  EXPECT_THAT(html, HasSubstr("<b>3/3</b><span>workloads passed</span>"));
}

TEST(CosimHtml, DrawsCurvesForTwoLoadsOrMore) {
  const std::string curves = "<title>Accepted against offered load</title>";
  EXPECT_THAT(page({sample::at_load("a", 0.1), sample::at_load("a", 0.9)}), HasSubstr(curves));
  EXPECT_THAT(page({sample::at_load("a", 0.1), sample::at_load("b", 0.1)}), Not(HasSubstr(curves)));
}

TEST(CosimHtml, NamesTheWayOfTheWorstTransfers) {
  EXPECT_THAT(page({sample::passing("a")}),
              HasSubstr("<td class=\"n\">-50.0 %</td><td><span class=\"nowrap\">[1,0].x[0] -&gt; "
                        "[1,1].x[0], 25 %</span></td></tr>"));
}

/// Runs traffic on all fabrics, with the reference in place of the RTL.
WorkloadResult simulated_with_everything(double load) {
  Options options;
  options.run.nodes = model::fabric::MazeNodeKind::Ideal;
  options.fabrics = {FabricKind::Analytic, FabricKind::Cycle, FabricKind::Rtl};
  options.run.make_dut = [](std::uint64_t /*seed*/) {
    return std::make_shared<sim::ReferenceDut>(maze::Shape{2, 2, 8});
  };
  // A small queue makes the analytic fabric overestimate waiting times.
  options.run.analytic.emplace().queue_packets = 2;
  options.run.trace = model::fabric::PacketTrace::Detail::LastPackets;
  WorkloadSettings settings{.loads = {load}, .bytes = 7, .warmup = 50, .cycles = 200};
  return run_cosim(sample::small_sip(),
                   make_workloads("uniform_random", sample::small_sip(), settings), options)
      .front();
}

TEST(CosimHtml, ShowsCoverageTheModelsHashAndWhereTimeWasLost) {
  const WorkloadResult result = simulated_with_everything(0.9);
  ASSERT_EQ(result.outcome, common::Outcome::Pass) << result.reason;
  const std::string html = page({result});
  expect_well_formed(html);
  EXPECT_THAT(html, HasSubstr("<h2>Functional coverage</h2>"));
  EXPECT_THAT(html, HasSubstr("<span>functional coverage of the RTL</span>"));
  EXPECT_THAT(html, HasSubstr("<dt>hash of the RTL model</dt><dd>reference</dd>"));
  const FabricRun& cycle = *result.run(FabricKind::Cycle);
  const auto worst = latency_error(*result.run(FabricKind::Analytic), cycle, 1).worst.at(0);
  EXPECT_THAT(html,
              HasSubstr("</span><br/>" +
                        lost_time_of(result, worst)->place(cycle.clocked->traces.front()->links()) +
                        "</td></tr>"));
}

TEST(CosimHtml, CountsNoTransfersOfTheWarmUpAmongLatencies) {
  const WorkloadResult result = simulated_with_everything(0.9);
  const FabricRun& rtl = *result.run(FabricKind::Rtl);
  const std::size_t first = first_measured(result.workload, sample::small_sip());
  ASSERT_GT(first, 0U);
  ASSERT_EQ(result.workload.transfers[first - 1].at < sample::cycles(50), true);
  ASSERT_EQ(result.workload.transfers[first].at < sample::cycles(50), false);
  std::int64_t sum = 0;
  for (std::size_t i = first; i < rtl.played.size(); ++i) sum += rtl.latency(i).ps();
  const auto count = static_cast<double>(rtl.played.size() - first);
  EXPECT_DOUBLE_EQ(summarize(rtl, first).mean, static_cast<double>(sum) / count);
  std::uint64_t counted = 0;
  for (const auto& [cycles, transfers] :
       latency_histogram(result.workload, rtl, sample::small_sip())) {
    counted += transfers;
  }
  EXPECT_EQ(counted, rtl.played.size() - first);
}

TEST(CosimHtml, SaysThatAMapOfAFailedRunEndsWithTheFailure) {
  const std::string note = "Traffic up to the failure, which ended the run.";
  EXPECT_THAT(page({sample::failing("broken")}), HasSubstr(note));
  EXPECT_THAT(page({sample::passing("good")}), Not(HasSubstr(note)));
}

TEST(CosimHtml, HasACellForEveryLink) {
  const std::string html = page({sample::passing("a")});
  EXPECT_THAT(html,
              HasSubstr("<td class=\"p9\" data-t=\"[0,0].x[0] -&gt; [0,1].x[0]&#10;3 packets, "
                        "0.750 a cycle\"></td>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"p3\" data-t=\"[1,0].x[0] -&gt; [1,1].x[0]&#10;1 packet, "
                              "0.250 a cycle\"></td>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"idle\" data-t=\"[1,1].y[0] -&gt; [0,1].y[0]&#10;"
                              "0 packets, 0.000 a cycle\"></td>"));
}

TEST(CosimHtml, ShowsWhatFailedFirst) {
  const std::string html =
      page({sample::passing("good"), sample::failing("<b>ad")}, common::Outcome::Mismatch);
  EXPECT_THAT(html, HasSubstr("<header class=\"card failed\">"));
  const std::size_t failed = html.find("<h2>1 workload did not pass</h2>");
  ASSERT_NE(failed, std::string::npos);
  EXPECT_LT(failed, html.find("<td>good</td>"));
  const std::string card = html.substr(failed, html.find("</section>", failed) - failed);
  EXPECT_THAT(card, HasSubstr("<h3>&lt;b&gt;ad</h3>"));
  EXPECT_THAT(card, HasSubstr("expected &lt;1&gt; &amp; got &quot;2&quot;"));
  EXPECT_THAT(card,
              HasSubstr("drop at [1,0].x[0] -&gt; [1,1].x[0], cycle 6; noticed by scoreboard"));
  EXPECT_THAT(card, HasSubstr("no packet &lt;0x5a&gt;"));
  EXPECT_THAT(html, HasSubstr("<td class=\"p3 fail\""));
  EXPECT_THAT(page({sample::passing("good")}), Not(HasSubstr("did not pass")));
}

TEST(CosimHtml, LoadsNothing) {
  const std::string html = page({sample::at_load("a", 0.1), sample::at_load("a", 0.9)});
  for (const char* reference : {"https://", "src=", "@import", "url(", "<i>'"}) {
    EXPECT_THAT(html, Not(HasSubstr(reference)));
  }
}

std::vector<std::string> links_of(const TimedTransfer& transfer, topology::DimensionOrder order) {
  topology::SipSpec sip = sample::small_sip();
  sip.maze.order = order;
  const TransferPaths paths(sip);
  std::vector<std::string> names;
  for (const std::size_t link : paths.of(transfer).links) names.push_back(paths.link_name(link));
  return names;
}

TEST(TransferPaths, TurnAtTheCornerOfTheDimensionOrder) {
  const TimedTransfer transfer{{}, 0, 3};
  EXPECT_THAT(links_of(transfer, topology::DimensionOrder::XY),
              ElementsAre("[0,0].x[0] -> [0,1].x[0]", "[0,1].y[0] -> [1,1].y[0]"));
  EXPECT_THAT(links_of(transfer, topology::DimensionOrder::YX),
              ElementsAre("[0,0].y[0] -> [1,0].y[0]", "[1,0].x[0] -> [1,1].x[0]"));
  EXPECT_EQ(TransferPaths(sample::small_sip()).of(transfer).corner, 1U);
}

TEST(TransferPaths, AreEmptyFromANodeToItself) {
  EXPECT_THAT(links_of({{}, 2, 2}, topology::DimensionOrder::XY), ElementsAre());
}

TEST(TransferPaths, OfMulticastsAreTheLinksWithCopies) {
  EXPECT_THAT(links_of({{}, 1, 0, TransferType::XMulticast}, topology::DimensionOrder::XY),
              ElementsAre("[0,1].x[0] -> [0,0].x[0]", "[0,0].y[0] -> [1,0].y[0]"));
  EXPECT_THAT(links_of({{}, 1, 0, TransferType::YMulticast}, topology::DimensionOrder::XY),
              ElementsAre("[0,1].x[0] -> [0,0].x[0]"));
  EXPECT_THAT(links_of({{}, 1, 0, TransferType::Broadcast}, topology::DimensionOrder::XY),
              ElementsAre("[0,1].x[0] -> [0,0].x[0]", "[0,1].y[0] -> [1,1].y[0]",
                          "[0,0].y[0] -> [1,0].y[0]"));
}

TEST(CurveChart, TakesALogarithmicAxisForMoreThanADecadeWhenItMay) {
  CurveChart chart{"latency", "load", "ns", {{"rtl", 2, {{0.1, 4}, {0.5, 40}}}}};
  chart.axis = ValueAxis::Fitting;
  EXPECT_THAT(curve_chart_svg(chart), Not(HasSubstr("log scale")));
  chart.curves[0].points[1].y = 41;
  EXPECT_THAT(curve_chart_svg(chart), HasSubstr("ns, log scale"));
  EXPECT_THAT(curve_chart_svg(chart), HasSubstr("<title>rtl: 41 ns at 0.5</title>"));
  chart.axis = ValueAxis::Linear;
  EXPECT_THAT(curve_chart_svg(chart), Not(HasSubstr("log scale")));
}

TEST(CurveChart, PlacesPointsByTheirValues) {
  const CurveChart chart{
      "accepted", "load", "packets", {{"rtl", 2, {{0, 0}, {1, 0.5}}}}, ValueAxis::AsX};
  const std::string svg = curve_chart_svg(chart);
  EXPECT_THAT(svg, HasSubstr("<path d=\"M52 250 L370 149\" class=\"curve f2\"/>"));
  EXPECT_THAT(svg, HasSubstr("<path d=\"M52 250 L370 48\" class=\"guide dashed\">"));
}

}  // namespace
}  // namespace kernbench::cosim

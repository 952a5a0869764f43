// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/markup.hpp"
#include "sim/check/rtl_reports.hpp"
#include "sim/report/html_parts.hpp"
#include "sim/report/network_charts.hpp"
#include "sim/report/network_report.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::sim {
namespace {

using common::escape_markup;

std::string network_title(const NetworkRegression& network) {
  return fmt::format("MAZE network {}x{} regression", network.shape.nx, network.shape.ny);
}

std::string network_header(const NetworkRegression& network) {
  std::string out = fmt::format("<div class=\"title\">{}<h1>{}</h1></div>\n<dl class=\"facts\">\n",
                                outcome_badge(network.outcome), network_title(network));
  print_fact(out, "seed", std::to_string(network.seed));
  print_fact(out, "revision", network.revision);
  print_fact(out, "data bits", std::to_string(network.shape.flit_w));
  print_fact(out, "SystemVerilog checkers", network.checkers ? "in the nodes" : "not in the model");
  if (const std::string text = checks_text(network.rtl_checks); !text.empty()) {
    print_fact(out, "checks of the RTL", text);
  }
  print_fact(out, "model hash", network.model_hash);
  print_fact(out, "configuration hash", network.config_hash);
  print_fact(out, "host time", duration_text(network.seconds));
  print(out, "</dl>\n<code class=\"command\">{}</code>\n", escape_markup(network.command));
  return out;
}

std::string network_tiles(const NetworkRegression& network, const RegressionDigest& digest,
                          const CoverageSummary& coverage) {
  const auto passed = static_cast<std::size_t>(std::count_if(
      network.cases.begin(), network.cases.end(),
      [](const NetworkCaseRun& one) { return one.result.outcome == common::Outcome::Pass; }));
  const NetworkResult& sum = network.sum;
  std::string out = "<div class=\"tiles\">\n";
  print_tile(out, passed == network.planned,
             fmt::format("{}/{}", grouped(passed), grouped(network.planned)), "cases passed");
  if (network.full_coverage) {
    print_tile(out, coverage.hit() == coverage.total(), percent(coverage.hit(), coverage.total()),
               "functional coverage");
    print_tile(out, digest.live_links == network.shape.links(),
               fmt::format("{}/{}", digest.live_links, network.shape.links()),
               "links with packets");
  }
  print_tile(out, sum.accepted != 0, short_count(sum.accepted), "packets accepted at A");
  print_tile(out, sum.delivered != 0, short_count(sum.delivered), "copies delivered at B");
  print_tile(out, sum.cycles != 0, short_count(sum.cycles), "cycles");
  return out + "</div>\n";
}

std::string mean_text(const LatencyHistogram& latency) {
  return latency.copies() == 0 ? "-" : fmt::format("{:.1f}", latency.mean());
}

plot::ReportSection network_suites_section(const NetworkRegression& network) {
  if (network.cases.empty()) return {"Suites", ""};
  std::string table =
      "<table class=\"rows sortable\">\n<thead><tr><th>outcome</th><th>suite</th>"
      "<th class=\"n\">cases</th><th class=\"n\">accepted</th><th class=\"n\">delivered</th>"
      "<th class=\"n\">cycles</th><th class=\"n\">low</th><th class=\"n\">high</th>"
      "<th class=\"n\">longest</th><th class=\"n\">host time</th></tr></thead>\n<tbody>\n";
  for (const NetworkSuite& suite : network.suites()) {
    const NetworkResult& sum = suite.sum;
    print(table,
          "<tr><td>{}</td><td class=\"nowrap\">{}</td><td class=\"n\">{}</td>"
          "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
          "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
          "<td class=\"n\" data-v=\"{:.3f}\">{}</td></tr>\n",
          outcome_badge(sum.outcome), escape_markup(suite.name), grouped(suite.cases),
          short_count(sum.accepted), short_count(sum.delivered), grouped(sum.cycles),
          mean_text(sum.traffic.of_qos(0)), mean_text(sum.traffic.of_qos(1)),
          grouped(sum.traffic.of_all().longest()), sum.seconds, duration_text(sum.seconds));
  }
  return {"Suites", plot::scroll_box("Suites", table + "</tbody>\n</table>\n") +
                        "<p class=\"dim\">Low, high, longest: mean latency of each QoS level, and "
                        "the longest of all, in cycles from A to B. Host time: sum over the cases, "
                        "which run side by side.</p>\n"};
}

plot::ReportSection network_coverage_section(const NetworkRegression& network,
                                             const CoverageSummary& coverage) {
  if (coverage.groups.empty()) return {"Functional coverage", ""};
  return {"Functional coverage",
          fmt::format("<p>{} of {} bins, {}{}</p>\n", grouped(coverage.hit()),
                      grouped(coverage.total()), percent(coverage.hit(), coverage.total()),
                      network.full_coverage ? "" : "; not required of this run") +
              group_table("Coverage by group", coverage.groups)};
}

}  // namespace

std::string network_html(const NetworkRegression& network) {
  const RegressionResult result = as_regression(network);
  const RegressionDigest digest(result);
  const topology::MazeLinks links(network.shape.nx, network.shape.ny);
  const CoverageSummary coverage =
      network.sum.coverage ? network.sum.coverage->summary() : CoverageSummary{};
  plot::ReportPage page(
      fmt::format("{}: {}", common::name(network.outcome), network_title(network)),
      network_style());
  page.header(network_header(network), network.outcome == common::Outcome::Pass);
  page.add_html(network_tiles(network, digest, coverage));
  page.add(failures_section(digest, links, kNetworkReports[0]));
  page.add_columns({heat_map_section(result, links)},
                   {network_suites_section(network), network_coverage_section(network, coverage),
                    node_maps_section(network.sum.traffic, links)});
  page.add(latency_section(network.sum.traffic));
  if (network.full_coverage) page.add(missed_bins_section(coverage, kNetworkReports[0]));
  page.footer(
      "<p>Every number: <a href=\"network.json\">network.json</a>. For other programs: "
      "<a href=\"network.xml\">network.xml</a>.</p>");
  return std::move(page).finish();
}

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#include "model/probe/probe_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "common/description.hpp"
#include "common/markup.hpp"
#include "model/probe/probe_plot.hpp"
#include "plot/html_text.hpp"
#include "plot/member_html.hpp"

namespace kernbench::common {

using model::probe::Breakdown;
using model::probe::ProbeReport;
using model::probe::ProbeResult;
using model::probe::ProbeRow;

template <>
const Description<Breakdown>& description_of() {
  static const auto kAll =
      Description<Breakdown>()
          .add("analytic_ps", &Breakdown::latency, "by the closed form: the sum of its terms")
          .at_least(1)
          .computed()
          .add("overhead_ps", &Breakdown::overhead, "of nodes, there and back")
          .add("travel_ps", &Breakdown::travel, "along wires")
          .add("serialization_ps", &Breakdown::serialization, "of a flit on each wire")
          .add("memory_ps", &Breakdown::memory, "service by the HBM channel")
          .add("pipeline_ps", &Breakdown::pipeline, "waits for earlier flits");
  return kAll;
}

template <>
const Description<ProbeResult>& description_of() {
  static const auto kAll =
      Description<ProbeResult>()
          .add("bytes", &ProbeResult::bytes)
          .at_least(1)
          .add("actual_ps", &ProbeResult::actual, "simulated")
          .at_least(1)
          .add_members(&ProbeResult::analytic)
          .add("effective_gbs", &ProbeResult::effective_gbs)
          .above(0)
          .computed()
          .add("bottleneck_gbs", &ProbeResult::bottleneck_gbs,
               "of the narrowest wire, or of the slice if that is less")
          .above(0)
          .add("utilization", &ProbeResult::utilization, "of the bottleneck, from 0 to 1")
          .above(0)
          .computed();
  return kAll;
}

template <>
const Description<ProbeRow>& description_of() {
  static const auto kAll =
      Description<ProbeRow>()
          .add("family", &ProbeRow::family)
          .add("case", &ProbeRow::label)
          .not_empty()
          .add("path", &ProbeRow::path, "from the requester to the memory")
          .at_least(2)
          .add("results", &ProbeRow::results, "at the size of the summary, then by size")
          .at_least(2);
  return kAll;
}

template <>
const Description<ProbeReport>& description_of() {
  static const auto kAll =
      Description<ProbeReport>()
          .add("cases", &ProbeReport::cases)
          .not_empty()
          .add("pairs", &ProbeReport::pairs, "results compared with each other")
          .add("broken", &ProbeReport::broken, "invariants that do not hold")
          .absent_unless("there are any");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::model::probe {

namespace {

constexpr std::array<std::string_view, 1> kDrawnOfProbe = {"cases"};

/// Returns the utilization of each case, a row, at each size, a column.
std::string utilization_table(const std::vector<ProbeRow>& cases) {
  std::string out = "<table class=\"rows\">\n<thead><tr><th>family</th><th>case</th>";
  for (std::size_t i = 1; i < cases.front().results.size(); ++i) {
    plot::print(out, "<th class=\"n\">{}</th>", size_text(cases.front().results[i].bytes));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const ProbeRow& row : cases) {
    plot::print(out, "<tr><td>{}</td><td>{}</td>", name(row.family),
                common::escape_markup(row.label));
    for (std::size_t i = 1; i < row.results.size(); ++i) {
      plot::print(out, "<td class=\"n\">{:.1f} %</td>", 100.0 * row.results[i].utilization());
    }
    out += "</tr>\n";
  }
  return plot::scroll_box("Utilization by size", out + "</tbody>\n</table>\n");
}

std::vector<plot::ReportSection> parts_of(const nlohmann::json& data) {
  const auto report = common::value_of<ProbeReport>(data, "the report");
  nlohmann::json first = data["cases"];
  for (nlohmann::json& row : first) row["results"] = {row["results"][0]};
  std::vector<ProbeCase> cases;
  std::vector<std::vector<ProbeResult>> by_size;
  std::size_t least = ~std::size_t{0};
  for (const ProbeRow& row : report.cases) {
    least = std::min(least, row.results.size() - 1);
    ProbeCase& drawn = cases.emplace_back();
    drawn.family = row.family;
    drawn.label = row.label;
    by_size.emplace_back(row.results.begin() + 1, row.results.end());
  }
  return {{"Latency on an idle machine",
           plot::html_of_value(kProbeReport.form().member("cases"), first)},
          {"Utilization by size", least < 2 ? "" : probe_plot(cases, by_size)},
          {"Utilization of the narrowest wire or slice", utilization_table(report.cases)}};
}

}  // namespace

const plot::ReportKind kProbeReport = {
    .name = "probe",
    .command = "probe",
    .about = "Latencies of a topology, compared with their closed form",
    .form = common::form_of<ProbeReport>,
    .parts = parts_of,
    .drawn = kDrawnOfProbe};

ProbeReport report_of(const topology::TopologyGraph& graph, const std::vector<ProbeCase>& cases,
                      const std::vector<std::vector<ProbeResult>>& summary,
                      const std::vector<std::vector<ProbeResult>>& by_size,
                      const InvariantReport& held) {
  ProbeReport report{{}, held.pairs, held.broken};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    ProbeRow row{cases[i].family, cases[i].label, {}, summary[i]};
    for (const topology::NodeId node : cases[i].route.nodes)
      row.path.emplace_back(graph.name(node));
    row.results.insert(row.results.end(), by_size[i].begin(), by_size[i].end());
    report.cases.push_back(std::move(row));
  }
  return report;
}

}  // namespace kernbench::model::probe

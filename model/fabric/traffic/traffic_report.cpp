// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/traffic/traffic_report.hpp"

#include <utility>

#include "common/description.hpp"
#include "plot/line_chart.hpp"
#include "plot/palette.hpp"

namespace kernbench::common {

using model::fabric::kFabricKindNames;
using model::fabric::TrafficReport;
using model::fabric::TrafficRouters;
using model::fabric::TrafficRow;

template <>
const Description<TrafficRow>& description_of() {
  static const auto kAll =
      Description<TrafficRow>()
          .add("load", &TrafficRow::load, "packets per sender and cycle")
          .at_least(0)
          .at_most(1)
          .add("offered", &TrafficRow::offered, "packets per sender and cycle that were submitted")
          .at_least(0)
          .add("accepted", &TrafficRow::accepted,
               "packets per sender and cycle of transfers that completed")
          .at_least(0)
          .add("latency_mean_cycles", &TrafficRow::latency_mean,
               "from submission to the last packet")
          .at_least(0)
          .add("latency_p95_cycles", &TrafficRow::latency_p95, "of 95 % of the transfers at most")
          .add("latency_p99_cycles", &TrafficRow::latency_p99, "of 99 % of the transfers at most")
          .add("latency_max_cycles", &TrafficRow::latency_max)
          .add("measured_transfers", &TrafficRow::measured)
          .add("transfers", &TrafficRow::transfers, "in the whole run")
          .add("mean_hops", &TrafficRow::mean_hops, "of a packet")
          .at_least(0)
          .add("busiest_link", &TrafficRow::busiest)
          .or_null()
          .add("busiest_link_use", &TrafficRow::busiest_use, "packets per cycle")
          .at_least(0);
  return kAll;
}

template <>
const Description<TrafficRouters>& description_of() {
  static const auto kAll =
      Description<TrafficRouters>()
          .add("lanes", &TrafficRouters::lanes, "virtual channels of each class of the routes")
          .at_least(1)
          .add("slots", &TrafficRouters::slots, "flits that an input holds for a virtual channel")
          .at_least(1)
          .add("stages", &TrafficRouters::stages, "registers of each link")
          .add("packet_flits", &TrafficRouters::packet_flits, "most flits of a packet")
          .at_least(1);
  return kAll;
}

template <>
const Description<TrafficReport>& description_of() {
  static const auto kAll =
      Description<TrafficReport>()
          .add("topology", &TrafficReport::topology)
          .add("routing", &TrafficReport::routing)
          .add_named("fabric", &TrafficReport::fabric, kFabricKindNames)
          .add("maze", &TrafficReport::maze, "with the nodes and links of a MAZE")
          .add("routers", &TrafficReport::routers, "null with a MAZE")
          .or_null()
          .add("pattern", &TrafficReport::pattern)
          .add("senders", &TrafficReport::senders)
          .add("endpoints", &TrafficReport::endpoints)
          .add("unreachable_pairs", &TrafficReport::unreachable_pairs,
               "of endpoints, which are skipped")
          .add("bytes", &TrafficReport::bytes, "of a transfer")
          .at_least(1)
          .add("packet_bits", &TrafficReport::packet_bits)
          .at_least(1)
          .add("warmup_cycles", &TrafficReport::warmup, "before the measured ones")
          .add("cycles", &TrafficReport::cycles, "measured")
          .at_least(1)
          .add("loads", &TrafficReport::loads);
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::model::fabric {

namespace {

using Column = std::pair<const char*, double (*)(const TrafficRow& row)>;

/// Returns a chart of columns by load. A logarithmic axis leaves out what is 0.
plot::ReportSection chart_of(const std::vector<TrafficRow>& rows, const char* heading,
                             const plot::AxisSpec& y, const std::vector<Column>& columns) {
  plot::ChartPanel panel{"", {"load, packets per sender and cycle"}, {}, {}};
  for (const auto& [name, value] : columns) {
    plot::ChartSeries series{
        .name = name,
        .style = plot::palette_style(static_cast<unsigned>(panel.series.size()), false)};
    for (const TrafficRow& row : rows) {
      if (y.scale == plot::AxisScale::Log && value(row) <= 0) continue;
      series.points.push_back({row.load, value(row)});
    }
    if (!series.points.empty()) panel.series.push_back(std::move(series));
  }
  if (panel.series.empty()) return {heading, ""};
  plot::LineChart chart;
  chart.title = heading;
  chart.y = y;
  chart.panels.push_back(std::move(panel));
  chart.panel_size.w = 560;
  return {heading, plot::line_chart_svg(chart)};
}

std::vector<plot::ReportSection> charts_of(const nlohmann::json& data) {
  const std::vector<TrafficRow> rows = common::value_of<TrafficReport>(data, "the report").loads;
  return {
      chart_of(rows, "Latency by load", {"cycles (log scale)", plot::AxisScale::Log},
               {{"mean", [](const auto& row) { return row.latency_mean; }},
                {"95 %", [](const auto& row) { return static_cast<double>(row.latency_p95); }},
                {"longest", [](const auto& row) { return static_cast<double>(row.latency_max); }}}),
      chart_of(rows, "Accepted load", {"packets per sender and cycle"},
               {{"offered", [](const auto& row) { return row.offered; }},
                {"accepted", [](const auto& row) { return row.accepted; }}})};
}

}  // namespace

const plot::ReportKind kTrafficReport = {
    .name = "traffic",
    .command = "traffic",
    .about = "Latency over load of synthetic traffic on a base topology",
    .envelope = {.grade = true, .seed = true},
    .form = common::form_of<TrafficReport>,
    .parts = charts_of};

}  // namespace kernbench::model::fabric

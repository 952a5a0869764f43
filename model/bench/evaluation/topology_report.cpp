// SPDX-License-Identifier: Apache-2.0
#include "model/bench/evaluation/topology_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/description.hpp"
#include "plot/line_chart.hpp"

namespace kernbench::common {

using model::bench::NetworkCost;
using model::bench::TopologyCase;
using model::bench::TopologyEvaluation;
using model::bench::TopologyPoint;

template <>
const Description<TopologyCase>& description_of() {
  static const auto kAll = Description<TopologyCase>()
                               .add("network", &TopologyCase::network)
                               .not_empty()
                               .add("equal", &TopologyCase::equal, "the budget of its links")
                               .add("workload", &TopologyCase::workload);
  return kAll;
}

template <>
const Description<NetworkCost>& description_of() {
  static const auto kAll =
      Description<NetworkCost>()
          .add("links", &NetworkCost::links, "in one direction each")
          .add("bisection_links", &NetworkCost::bisection, "between halves of the cubes")
          .add("wire_mm", &NetworkCost::wire_mm, "length of all links")
          .at_least(0)
          .add("buffers", &NetworkCost::buffers, "flits or packets that routers or nodes hold");
  return kAll;
}

template <>
const Description<TopologyPoint>& description_of() {
  static const auto kAll =
      Description<TopologyPoint>()
          .add_members(&TopologyPoint::which)
          .add_members(&TopologyPoint::cost)
          .add("flit_bits", &TopologyPoint::flit_bits, "data bits of a link")
          .at_least(1)
          .add("limit", &TopologyPoint::limit,
               "why links are narrower than the budget allows; empty if they are not")
          .add("bisection_bits", &TopologyPoint::bisection_bits, "a cycle, in one direction")
          .computed()
          .add("wire_bit_mm", &TopologyPoint::wire_bit_mm, "length of all data wires")
          .computed()
          .add("buffer_bits", &TopologyPoint::buffer_bits)
          .computed()
          .add("took_ps", &TopologyPoint::took, "sum of the measured regions")
          .add("elements", &TopologyPoint::elements, "numbers that were compared")
          .add("wrong", &TopologyPoint::wrong);
  return kAll;
}

template <>
const Description<TopologyEvaluation>& description_of() {
  static const auto kAll = Description<TopologyEvaluation>()
                               .add("base_bits", &TopologyEvaluation::base_bits,
                                    "data bits of the links of the mesh, which sets both budgets")
                               .at_least(1)
                               .add("points", &TopologyEvaluation::points)
                               .not_empty();
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::model::bench {
namespace {

/// Returns the look of the mark of a network, in the order of the sweep.
plot::SeriesStyle style_of(std::size_t network) {
  const auto index = static_cast<unsigned>(network);
  plot::SeriesStyle style = plot::palette_style(index, index >= plot::kPaletteSize);
  style.joined = false;
  return style;
}

/// Adds a point to the panel of its workload, which is the last one.
void add_mark(plot::ChartPanel& panel, const TopologyPoint& point, double x) {
  const double us = point.took.ns() / 1000.0;
  panel.series.push_back(
      {.name = point.which.network,
       .style = style_of(panel.series.size()),
       .points = {{x, us}},
       .point_tooltips = {fmt::format("{}: {:.3f} us, {} links of {} bits, {:.1f} bit m of wire",
                                      point.which.network, us, point.cost.links, point.flit_bits,
                                      point.wire_bit_mm() / 1000.0)}});
}

/// Returns a chart of the time of each network, with a panel for each workload.
plot::ReportSection chart_of(const TopologyEvaluation& evaluation, EqualBudget equal,
                             const std::string& heading, const std::string& x_label,
                             double (*x)(const TopologyPoint& point)) {
  plot::LineChart chart;
  chart.title = heading;
  chart.y = {"time, us (log scale)", plot::AxisScale::Log};
  chart.panel_size = {300, 300};
  for (const TopologyPoint& point : evaluation.points) {
    if (point.which.equal != equal || point.took.ps() == 0) continue;
    if (chart.panels.empty() || chart.panels.back().heading != point.which.workload) {
      chart.panels.push_back({point.which.workload, {x_label}});
    }
    add_mark(chart.panels.back(), point, x(point));
  }
  if (chart.panels.empty()) return {heading, ""};
  return {heading, plot::line_chart_svg(chart)};
}

std::vector<plot::ReportSection> charts_of(const nlohmann::json& data) {
  TopologyEvaluation evaluation;
  common::description_of<TopologyEvaluation>().read(data, evaluation);
  return {chart_of(evaluation, EqualBudget::Bisection, "Time by wire, at equal bisection",
                   "data wires, bit m",
                   [](const TopologyPoint& point) { return point.wire_bit_mm() / 1000.0; }),
          chart_of(evaluation, EqualBudget::Wire, "Time by links, at equal wire", "links",
                   [](const TopologyPoint& point) -> double { return point.cost.links; })};
}

}  // namespace

const plot::ReportKind kTopologyReport = {
    .name = "topology-evaluation",
    .command = "evaluate topologies",
    .about = "Networks of cubes at equal bisection and at equal wire",
    .form = common::form_of<TopologyEvaluation>,
    .parts = charts_of,
    .rows = 1000};

}  // namespace kernbench::model::bench

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "model/bench/evaluation/collective_sweep.hpp"
#include "plot/line_chart.hpp"

namespace kernbench::model::bench {

using plot::AxisScale;
using plot::PointPx;
using plot::TextAnchor;

namespace {

/// The curve of a panel that a point belongs to.
struct Curve {
  std::string name;          ///< empty if the panel does not show the point
  std::string variant_of{};  ///< the curve with the same colour, if this is its variant
};
using CurveOf = std::function<Curve(const CollectiveCase&)>;

double microseconds(common::SimTime time) {
  return time.ns() / 1000.0;
}

PointPx place(const CollectivePoint& point, common::SimTime time) {
  return {static_cast<double>(point.which.bytes) / 1024.0, microseconds(time)};
}

std::string tooltip(const CollectivePoint& point) {
  const CollectiveCase& which = point.which;
  return fmt::format(
      "{} bytes, {} SIPs, {}, {}, slots in {}\n{:.3f} us, bound {:.3f} us, {} flit-hops",
      which.bytes, which.sips, which.algorithm, which.sip_topology, which.slot_memory,
      microseconds(point.latency), microseconds(point.bound), point.flit_hops);
}

/// Returns the panel with the points that `curve_of` names a curve for, and their bounds. `points`
/// are sorted by size; curves keep the order of the sweep.
plot::ChartPanel panel_of(const std::vector<CollectivePoint>& points, std::string heading,
                          const CurveOf& curve_of) {
  plot::ChartPanel panel{std::move(heading),
                         {"KiB added by each cube of each rank (log scale)", AxisScale::Log}};
  std::vector<std::string> colours;
  std::map<std::uint32_t, plot::ChartGuide> bounds;
  for (const CollectivePoint& point : points) {
    const auto [name, variant_of] = curve_of(point.which);
    if (name.empty()) continue;
    auto series =
        std::find_if(panel.series.begin(), panel.series.end(),
                     [&name = name](const plot::ChartSeries& known) { return known.name == name; });
    if (series == panel.series.end()) {
      const std::string& colour = variant_of.empty() ? name : variant_of;
      const auto known = std::find(colours.begin(), colours.end(), colour) - colours.begin();
      const auto index = static_cast<unsigned>(known);
      if (index == colours.size()) colours.push_back(colour);
      const bool variant = !variant_of.empty() || index >= plot::kPaletteSize;
      panel.series.push_back({name, plot::palette_style(index, variant)});
      series = panel.series.end() - 1;
    }
    const PointPx at = place(point, point.latency);
    series->points.push_back(at);
    series->point_tooltips.push_back(tooltip(point));
    std::vector<plot::Tick>& ticks = panel.x.ticks;
    if (ticks.empty() || ticks.back().value != at.x) ticks.push_back({at.x});
    if (point.bound.ps() == 0) continue;
    plot::ChartGuide& guide = bounds[point.which.sips];
    const PointPx bound = place(point, point.bound);
    if (guide.points.empty() || guide.points.back().x < bound.x) guide.points.push_back(bound);
  }
  for (auto& [sips, guide] : bounds) {
    guide.label = fmt::format("bound of {} SIPs", sips);
    guide.label_at = guide.points.front();
    guide.anchor = TextAnchor::Start;
    guide.dashed = true;
    panel.guides.push_back(std::move(guide));
  }
  return panel;
}

std::string sips_text(std::uint32_t sips) {
  return fmt::format("{} SIP{}", sips, sips == 1 ? "" : "s");
}

/// The points of a sweep, sorted by size, with the largest number of SIPs and a chart for them.
struct Sorted {
  std::vector<CollectivePoint> points;
  std::uint32_t most_sips = 0;
  plot::LineChart chart;

  /// Adds a panel if it has curves.
  void add(const std::string& heading, const CurveOf& curve_of) {
    plot::ChartPanel panel = panel_of(points, heading, curve_of);
    if (!panel.series.empty()) chart.panels.push_back(std::move(panel));
  }
};

/// Throws std::invalid_argument without points.
Sorted sorted_by_size(const std::vector<CollectivePoint>& points) {
  if (points.empty()) throw std::invalid_argument("a plot needs points");
  Sorted sorted{points, 0, {}};
  std::stable_sort(sorted.points.begin(), sorted.points.end(),
                   [](const auto& a, const auto& b) { return a.which.bytes < b.which.bytes; });
  for (const CollectivePoint& point : points) {
    sorted.most_sips = std::max(sorted.most_sips, point.which.sips);
  }
  sorted.chart.y = {"latency, us (log scale)", AxisScale::Log};
  sorted.chart.panel_size.w = 320;
  sorted.chart.legend = plot::LegendPlace::BelowEachPanel;
  return sorted;
}

}  // namespace

std::string all_reduce_plot(const std::vector<CollectivePoint>& points) {
  Sorted sorted = sorted_by_size(points);
  const std::uint32_t most = sorted.most_sips;
  sorted.chart.title = "All-reduce: latency by size";
  sorted.chart.subtitle =
      "The bound is 2(n-1)/n S/B: the least time of n SIPs with S bytes each, when a SIP sends B "
      "bytes a second. The numbers of every point were compared.";
  sorted.add("SIPs in a ring, slots in TCM", [](const CollectiveCase& which) -> Curve {
    if (which.sip_topology != "ring" || which.slot_memory != "tcm") return {};
    const std::string middle = sips_text(which.sips) + ", root in the middle";
    if (which.algorithm == "intercube-center") return {middle};
    if (which.algorithm != "intercube-corner") return {};
    return {sips_text(which.sips) + ", root in the corner", middle};
  });
  sorted.add(fmt::format("{} in a ring, root in the middle", sips_text(most)),
             [&](const CollectiveCase& which) -> Curve {
               const bool shown = which.sips == most && which.sip_topology == "ring" &&
                                  which.algorithm == "intercube-center";
               return {shown ? "slots in " + which.slot_memory : ""};
             });
  sorted.add(
      fmt::format("{}, slots in TCM", sips_text(most)), [&](const CollectiveCase& which) -> Curve {
        const bool shown = which.sips == most && which.slot_memory == "tcm" &&
                           which.algorithm != "intercube-corner";
        return {shown ? fmt::format("{}, SIPs as {}", which.algorithm, which.sip_topology) : ""};
      });
  return plot::line_chart_svg(sorted.chart);
}

std::string collectives_plot(const std::vector<CollectivePoint>& points) {
  Sorted sorted = sorted_by_size(points);
  const std::uint32_t most = sorted.most_sips;
  sorted.chart.title = fmt::format("Collectives between {}: latency by size", sips_text(most));
  sorted.chart.subtitle =
      "SIPs of one cube, slots in TCM. The bound is the time of the bytes that a SIP has to send "
      "or receive. The numbers of every point were compared.";
  std::set<std::string> collectives;
  for (const CollectivePoint& point : points) collectives.insert(point.which.collective);
  for (const std::string& name : collectives) {
    sorted.add(name, [&](const CollectiveCase& which) -> Curve {
      const bool shown = which.collective == name && which.sips == most && which.ranks.empty() &&
                         which.cubes.nodes() == 1 && which.slot_memory == "tcm" &&
                         which.rank == "sip" && name != "barrier";
      if (!shown) return {};
      return {which.sip_topology.empty()
                  ? which.algorithm
                  : fmt::format("{}, {}", which.algorithm, which.sip_topology)};
    });
  }
  return plot::line_chart_svg(sorted.chart);
}

}  // namespace kernbench::model::bench

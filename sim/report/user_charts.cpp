// SPDX-License-Identifier: Apache-2.0
#include "sim/report/user_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "plot/chart_panel.hpp"
#include "plot/style.hpp"
#include "sim/report/html_parts.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::sim {
namespace {

constexpr plot::SizePx kChart = {284, 236};  // four fit into the page
constexpr plot::BoxPx kBars = {48, 48, 228, 138};

/// Latencies with a common name.
struct NamedLatency {
  const char* name;
  LatencyHistogram latency;
};

/// Latencies from `first` to before `end`, which share a bar.
struct Bar {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint64_t copies = 0;
};

/// Returns bars of one cycle up to 8 cycles, and four for each doubling beyond.
std::vector<Bar> bars_of(const LatencyHistogram& latency) {
  std::vector<Bar> bars;
  std::uint64_t width = 1;
  for (std::uint64_t first = 1; first <= latency.longest(); first += width) {
    if (first >= 8 * width) width *= 2;
    Bar bar{first, first + width, 0};
    for (std::uint64_t at = first; at < std::min(bar.end, latency.longest() + 1); ++at) {
      bar.copies += latency.counts()[at];
    }
    bars.push_back(bar);
  }
  return bars;
}

/// Axes that all histograms of a page share.
struct HistogramAxes {
  double most_cycles = 10;
  double most_copies = 10;

  explicit HistogramAxes(const std::vector<NamedLatency>& all) {
    for (const NamedLatency& one : all) {
      for (const Bar& bar : bars_of(one.latency)) {
        most_cycles = std::max(most_cycles, static_cast<double>(bar.end));
        most_copies = std::max(most_copies, static_cast<double>(bar.copies));
      }
    }
  }
  [[nodiscard]] plot::AxisSpec x() const {
    return {.label = "cycles from A to B, log scale",
            .scale = plot::AxisScale::Log,
            .low = 1.5,
            .high = most_cycles};
  }
  [[nodiscard]] plot::Axis y() const {
    plot::AxisSpec axis{.label = "copies, log scale",
                        .scale = plot::AxisScale::Log,
                        .low = 0.5,
                        .high = most_copies * 20};  // room for the names of the guides
    for (std::uint64_t copies = 1; static_cast<double>(copies) < axis.high; copies *= 10) {
      std::string text = std::to_string(copies);
      if (copies >= 1'000'000) text = std::to_string(copies / 1'000'000) + " M";
      if (copies >= 1000 && copies < 1'000'000) text = std::to_string(copies / 1000) + " k";
      axis.ticks.push_back({static_cast<double>(copies), std::move(text)});
    }
    return {axis, {1, axis.high}};
  }
};

/// Returns a vertical line at a latency, with its name `row` rows below the upper end.
plot::ChartGuide latency_guide(const char* name, std::uint64_t cycles, unsigned row,
                               const HistogramAxes& axes) {
  const auto x = static_cast<double>(cycles);
  const double top = axes.most_copies * 20;
  const bool is_right = std::log(x / 1.5) > 0.6 * std::log(axes.most_cycles / 1.5);
  return {.label = fmt::format("{} {}", name, grouped(cycles)),
          .points = {{x, 0.5}, {x, top}},
          .label_at = plot::PointPx{x, top / std::pow(top / 0.5, 0.06 + 0.11 * row)},
          .anchor = is_right ? plot::TextAnchor::End : plot::TextAnchor::Start,
          .dashed = true};
}

std::string histogram_svg(const NamedLatency& of, const HistogramAxes& axes) {
  plot::ChartPanel panel{.heading = of.name, .x = axes.x()};
  panel.guides = {latency_guide("median", of.latency.percentile(500), 0, axes),
                  latency_guide("99 %", of.latency.percentile(990), 1, axes)};
  plot::SvgCanvas canvas(kChart.w, kChart.h, fmt::format("Latencies of {} packets", of.name), "");
  const plot::Axis x(panel.x, {1.5, axes.most_cycles});
  const plot::Axis y = axes.y();
  for (const Bar& bar : bars_of(of.latency)) {
    if (bar.copies == 0) continue;
    // A latency is in the middle of its cycle.
    const auto edge = [&](std::uint64_t cycles) {
      const double at = std::max(static_cast<double>(cycles) - 0.5, 1.5);
      return kBars.x + x.share(std::min(at, axes.most_cycles)) * kBars.w;
    };
    const double height = y.share(static_cast<double>(bar.copies)) * kBars.h;
    const std::string cycles = bar.end == bar.first + 1
                                   ? counted(bar.first, "cycle")
                                   : fmt::format("{} to {} cycles", bar.first, bar.end - 1);
    canvas.rect(edge(bar.first), kBars.bottom() - height, edge(bar.end) - edge(bar.first), height,
                {"latency", fmt::format("{}: {} copies", cycles, grouped(bar.copies))});
  }
  draw_panel(canvas, panel, y, kBars);
  return std::move(canvas).finish();
}

std::string histograms(const std::vector<NamedLatency>& all, const HistogramAxes& axes) {
  std::string out = "<div class=\"charts\">\n";
  for (const NamedLatency& one : all) {
    if (one.latency.copies() != 0) out += histogram_svg(one, axes);
  }
  return out + "</div>\n";
}

std::string latency_table(const std::vector<NamedLatency>& all) {
  std::string table =
      "<table class=\"rows sortable\">\n<thead><tr><th>packets</th><th class=\"n\">copies</th>"
      "<th class=\"n\">mean</th><th class=\"n\">median</th><th class=\"n\">99 %</th>"
      "<th class=\"n\">99.9 %</th><th class=\"n\">longest</th></tr></thead>\n<tbody>\n";
  for (const NamedLatency& one : all) {
    const LatencyHistogram& latency = one.latency;
    if (latency.copies() == 0) continue;
    print(table,
          "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{:.1f}</td>"
          "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
          "<td class=\"n\">{}</td></tr>\n",
          one.name, grouped(latency.copies()), latency.mean(), grouped(latency.percentile(500)),
          grouped(latency.percentile(990)), grouped(latency.percentile(999)),
          grouped(latency.longest()));
  }
  return plot::scroll_box("Latencies in cycles", table + "</tbody>\n</table>\n");
}

/// Returns a map with a row for each y and a column for each x.
std::string node_map(const std::string& heading, std::vector<std::uint64_t> counts,
                     const topology::MazeLinks& links) {
  counts.resize(links.nodes());
  const HeatScale scale(counts);
  std::string table = "<table class=\"map nodes\">\n<thead><tr><th>[y,x]</th>";
  for (unsigned x = 0; x < links.nx(); ++x) print(table, "<th>{}</th>", x);
  table += "</tr></thead>\n<tbody>\n";
  for (unsigned y = 0; y < links.ny(); ++y) {
    print(table, "<tr><th>{}</th>", y);
    for (unsigned x = 0; x < links.nx(); ++x) {
      const unsigned node = links.node_at(y, x);
      const std::uint64_t count = counts[node];
      print(table, "<td class=\"{}\" data-t=\"{}&#10;{}\"></td>",
            count == 0 ? "dead" : fmt::format("p{}", scale.level(count)), links.coordinates(node),
            grouped(count));
    }
    table += "</tr>\n";
  }
  return fmt::format(
      "<div>\n<h3>{}</h3>\n<div class=\"legend\">{} <i class=\"box dead\"></i> none</div>\n{}"
      "</div>\n",
      heading, scale.ramp('p'), plot::scroll_box(heading, table + "</tbody>\n</table>\n"));
}

}  // namespace

std::string user_style() {
  return plot::page_chart_style() + R"css(.latency { fill: var(--p5); }
path.guide.dashed { stroke: var(--text); stroke-width: 1.2; }
.grids { display: flex; flex-wrap: wrap; gap: 10px 28px; }
.map.nodes td { width: 22px; height: 22px; }
.map.nodes tr > :nth-child(n) { border-left: 0; }
.map.nodes th { min-width: 22px; }
)css";
}

plot::ReportSection node_maps_section(const UserTraffic& traffic,
                                      const topology::MazeLinks& links) {
  return {fmt::format("{} nodes", links.nodes()),
          "<div class=\"map-card grids\">\n" +
              node_map("Packets accepted at A", traffic.accepted, links) +
              node_map("Copies delivered at B", traffic.delivered, links) + "</div>\n"};
}

plot::ReportSection latency_section(const UserTraffic& traffic) {
  const std::vector<NamedLatency> levels = {{"low QoS", traffic.of_qos(0)},
                                            {"high QoS", traffic.of_qos(1)}};
  const std::vector<NamedLatency> types = {{"unicast", traffic.of_type(0)},
                                           {"column", traffic.of_type(1)},
                                           {"row", traffic.of_type(2)},
                                           {"broadcast", traffic.of_type(3)}};
  std::vector<NamedLatency> all = levels;
  all.insert(all.end(), types.begin(), types.end());
  if (traffic.of_all().copies() == 0) return {"Latencies", ""};
  const HistogramAxes axes(all);
  return {
      "Latencies",
      "<p class=\"dim\">Cycles from the handshake at A to that at B, of all cases. A bar beyond "
      "8 cycles has several latencies.</p>\n" +
          latency_table(all) + histograms(levels, axes) + histograms(types, axes),
      true};
}

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#include "model/probe/probe_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "plot/line_chart.hpp"

namespace kernbench::model::probe {

namespace {

constexpr double kMarkerRadius = 3.6;
constexpr std::array kMarkerShapes = {plot::MarkerShape::Circle, plot::MarkerShape::Square,
                                      plot::MarkerShape::Diamond, plot::MarkerShape::TriangleUp,
                                      plot::MarkerShape::TriangleDown};

/// The ends of a family's colours, from the highest curve to the lowest: 0xRRGGBB.
struct Ramp {
  std::uint32_t from;
  std::uint32_t to;
};
struct FamilyStyle {
  Family family;
  std::string_view heading;
  Ramp light;  ///< on a light ground
  Ramp dark;   ///< on a dark ground
};
// Blue, vermillion and bluish green of Okabe and Ito's scheme, which readers with any colour vision
// tell apart, made darker and lighter; all have a contrast of 3 or more with their ground.
constexpr std::array<FamilyStyle, 3> kFamilyStyles = {{
    {Family::HostWrite, "h2d: writes of the host", {0x003a5c, 0x2e8fd0}, {0xbfe1f7, 0x3d94cf}},
    {Family::HostRead, "d2h: reads of the host", {0x6e2c00, 0xe0701f}, {0xffd9bd, 0xe27a2f}},
    {Family::PeDma, "pe_dma: reads of a PE's DMA", {0x003325, 0x21a37d}, {0xd6f7ea, 0x1e9a77}},
}};

/// Returns the colour `step` of `steps` from one end of the ramp to the other.
std::uint32_t shade(const Ramp& ramp, std::size_t step, std::size_t steps) {
  std::size_t colour = 0;
  for (const unsigned shift : {16U, 8U, 0U}) {
    const std::size_t from = ramp.from >> shift & 0xFFU;
    const std::size_t to = ramp.to >> shift & 0xFFU;
    const std::size_t last = std::max<std::size_t>(steps - 1, 1);
    colour |= (from * (last - step) + to * step) / last << shift;
  }
  return static_cast<std::uint32_t>(colour);
}

/// Returns the look of a family's curve with this rank, 0 for the highest.
plot::SeriesStyle style_of(Family family, std::size_t rank) {
  return {.css_class = fmt::format("{}{}", name(family), rank),
          .marker = kMarkerShapes.at(rank % kMarkerShapes.size()),
          .marker_radius = kMarkerRadius,
          .dashed = rank % 2 != 0,
          .hollow = rank / kMarkerShapes.size() % 2 != 0};
}

plot::ChartSeries series_of(const ProbeCase& probe, const std::vector<ProbeResult>& results) {
  plot::ChartSeries series{.name = probe.label};
  series.tooltip = fmt::format("{} {}", name(probe.family), probe.label);
  for (const ProbeResult& result : results) {
    const double percent = 100.0 * result.utilization();
    series.points.push_back({static_cast<double>(result.bytes), percent});
    series.tooltip += fmt::format("\n{}: {:.1f} %", size_text(result.bytes), percent);
  }
  return series;
}

double sum_of_values(const plot::ChartSeries& series) {
  double sum = 0;
  for (const plot::PointPx& point : series.points) sum += point.y;
  return sum;
}

plot::AxisSpec size_axis(const std::vector<ProbeResult>& results) {
  plot::AxisSpec axis{.label = "transfer size (log scale)", .scale = plot::AxisScale::Log};
  for (const ProbeResult& result : results) {
    axis.ticks.push_back({static_cast<double>(result.bytes), size_text(result.bytes)});
  }
  axis.low = axis.ticks.front().value;
  axis.high = axis.ticks.back().value;
  return axis;
}

}  // namespace

std::string probe_plot(const std::vector<ProbeCase>& cases,
                       const std::vector<std::vector<ProbeResult>>& results) {
  if (cases.empty() || results.size() != cases.size()) {
    throw std::invalid_argument("a plot needs at least one case, and results for each");
  }
  for (const std::vector<ProbeResult>& sizes : results) {
    if (sizes.size() < 2) throw std::invalid_argument("a plot needs results at two sizes or more");
  }
  plot::LineChart chart{
      .title = "Utilization of the narrowest wire or memory slice, by transfer size",
      .subtitle =
          "Each transfer alone on the machine. Legends list the curves from the highest to the "
          "lowest.",
      .y = {.label = "utilization, %", .high = 100},
      .panel_size = {300, 320},
      .legend = plot::LegendPlace::BelowEachPanel};
  chart.colours.clear();
  for (const FamilyStyle& style : kFamilyStyles) {
    plot::ChartPanel panel{std::string(style.heading), size_axis(results.front())};
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].family == style.family) panel.series.push_back(series_of(cases[i], results[i]));
    }
    if (panel.series.empty()) continue;
    std::stable_sort(panel.series.begin(), panel.series.end(), [](const auto& a, const auto& b) {
      return sum_of_values(a) > sum_of_values(b);
    });
    for (std::size_t rank = 0; rank < panel.series.size(); ++rank) {
      const plot::SeriesStyle look = style_of(style.family, rank);
      chart.colours.push_back({look.css_class, shade(style.light, rank, panel.series.size()),
                               shade(style.dark, rank, panel.series.size())});
      panel.series[rank].style = look;
    }
    chart.panels.push_back(std::move(panel));
  }
  return plot::line_chart_svg(chart);
}

std::string size_text(std::uint64_t bytes) {
  if (bytes % (1U << 20U) == 0) return fmt::format("{} MiB", bytes >> 20U);
  if (bytes % (1U << 10U) == 0) return fmt::format("{} KiB", bytes >> 10U);
  return fmt::format("{} B", bytes);
}

}  // namespace kernbench::model::probe

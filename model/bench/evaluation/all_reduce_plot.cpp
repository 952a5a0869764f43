#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>

#include "common/markup.hpp"
#include "model/bench/evaluation/all_reduce_sweep.hpp"

namespace kernbench::model::bench {

namespace {

constexpr double kWidth = 900;
constexpr double kHeight = 520;
constexpr double kLeft = 78;
constexpr double kRight = 330;  ///< with the legend
constexpr double kTop = 56;
constexpr double kBottom = 60;

/// Okabe and Ito's colours, which all kinds of colour vision tell apart.
constexpr std::array<const char*, 7> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#e69f00", "#56b4e9", "#8c6d31"};
constexpr std::array<const char*, 3> kDashes = {"none", "7 3", "2 3"};

/// A logarithmic axis.
struct Axis {
  double low = 0.0;  ///< decimal logarithms
  double high = 1.0;
  double from = 0.0;  ///< pixels
  double to = 1.0;

  [[nodiscard]] double at(double value) const {
    return from + (std::log10(value) - low) / (high - low) * (to - from);
  }
};

std::string bytes_text(std::uint64_t bytes) {
  if (bytes >= 1U << 20U) return fmt::format("{} MiB", bytes >> 20U);
  return fmt::format("{} KiB", bytes >> 10U);
}

double microseconds(common::SimTime time) {
  return time.ns() / 1000.0;
}

std::string name_of(const AllReduceCase& which) {
  return fmt::format("{} SIPs, {}, {}, {}", which.sips, which.algorithm, which.sip_topology,
                     which.slot_memory);
}

using Curve = std::vector<std::pair<double, double>>;  ///< bytes, microseconds

std::string polyline(const Curve& curve, const Axis& x, const Axis& y, const std::string& style) {
  std::string points;
  for (const auto& [bytes, time] : curve) {
    points += fmt::format("{:.1f},{:.1f} ", x.at(bytes), y.at(time));
  }
  return fmt::format("<polyline points='{}' fill='none' {}/>\n", points, style);
}

}  // namespace

std::string all_reduce_plot(const std::vector<AllReducePoint>& points) {
  if (points.empty()) throw std::invalid_argument("there is nothing to plot");
  std::map<std::string, Curve> curves;
  std::map<std::uint32_t, std::map<std::uint64_t, double>> bounds;
  Axis x{99, -99, kLeft, kWidth - kRight};
  Axis y{99, -99, kHeight - kBottom, kTop};
  const auto widen = [](Axis& axis, double value) {
    axis.low = std::min(axis.low, std::log10(value));
    axis.high = std::max(axis.high, std::log10(value));
  };
  for (const AllReducePoint& point : points) {
    const auto bytes = static_cast<double>(point.which.bytes);
    curves[name_of(point.which)].emplace_back(bytes, microseconds(point.latency));
    widen(x, bytes);
    widen(y, microseconds(point.latency));
    if (point.which.sips < 2) continue;
    bounds[point.which.sips][point.which.bytes] = microseconds(point.bound);
    widen(y, microseconds(point.bound));
  }
  x.high = std::max(x.high, x.low + 0.1);
  y.low = std::floor(y.low);
  y.high = std::ceil(y.high + 0.01);

  std::string svg = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' "
      "font-family='sans-serif' font-size='12'>\n"
      "<style>.ground{{fill:#fff}} text{{fill:#222}} .grid{{stroke:#ddd}} .bound{{stroke:#444}} "
      "@media (prefers-color-scheme: dark){{.ground{{fill:#16181c}} text{{fill:#ddd}} "
      ".grid{{stroke:#3a3d44}} .bound{{stroke:#bbb}}}}</style>\n"
      "<rect class='ground' width='{0}' height='{1}'/>\n"
      "<text x='{2}' y='28' font-size='17'>All-reduce: latency by size</text>\n",
      kWidth, kHeight, kLeft);
  for (double decade = y.low; decade <= y.high; ++decade) {
    const double value = std::pow(10.0, decade);
    svg += fmt::format(
        "<line class='grid' x1='{0}' x2='{1}' y1='{2:.1f}' y2='{2:.1f}'/>"
        "<text x='{3}' y='{4:.1f}' text-anchor='end'>{5:g}</text>\n",
        kLeft, kWidth - kRight, y.at(value), kLeft - 8, y.at(value) + 4, value);
  }
  std::map<std::uint64_t, bool> sizes;
  for (const AllReducePoint& point : points) sizes[point.which.bytes] = true;
  for (const auto& [bytes, there] : sizes) {
    svg += fmt::format(
        "<line class='grid' x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}'/>"
        "<text x='{0:.1f}' y='{3}' text-anchor='middle'>{4}</text>\n",
        x.at(static_cast<double>(bytes)), kTop, kHeight - kBottom, kHeight - kBottom + 18,
        bytes_text(bytes));
  }
  svg += fmt::format(
      "<text x='{:.1f}' y='{}' text-anchor='middle'>bytes that each cube of each rank adds</text>\n"
      "<text transform='translate(20 {:.1f}) rotate(-90)' text-anchor='middle'>us</text>\n",
      (kLeft + kWidth - kRight) / 2, kHeight - 14, (kTop + kHeight - kBottom) / 2);

  double legend = kTop + 6;
  const auto entry = [&](const std::string& name, const std::string& style) {
    svg += fmt::format(
        "<line x1='{0}' x2='{1}' y1='{2}' y2='{2}' {3}/><text x='{4}' y='{5}'>{6}</text>\n",
        kWidth - kRight + 18, kWidth - kRight + 52, legend, style, kWidth - kRight + 60, legend + 4,
        common::escape_markup(name));
    legend += 20;
  };
  std::size_t index = 0;
  for (auto& [name, curve] : curves) {
    std::sort(curve.begin(), curve.end());
    const std::string style = fmt::format("stroke='{}' stroke-width='2' stroke-dasharray='{}'",
                                          kColours[index % kColours.size()],
                                          kDashes[index / kColours.size() % kDashes.size()]);
    svg += polyline(curve, x, y, style);
    for (const auto& [bytes, time] : curve) {
      svg += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3' fill='{}'/>\n", x.at(bytes),
                         y.at(time), kColours[index % kColours.size()]);
    }
    entry(name, style);
    ++index;
  }
  for (const auto& [sips, curve] : bounds) {
    const std::string style = "class='bound' stroke-width='1.5' stroke-dasharray='1 4'";
    svg += polyline(Curve(curve.begin(), curve.end()), x, y, style);
    entry(fmt::format("bound of {} SIPs: 2(n-1)/n S/B", sips), style);
  }
  return svg + "</svg>\n";
}

}  // namespace kernbench::model::bench

#include "model/probe/probe_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "plot/geometry.hpp"
#include "plot/path_data.hpp"
#include "plot/svg_canvas.hpp"
#include "plot/text_width.hpp"

namespace kernbench::model::probe {

using plot::BoxPx;
using plot::PointPx;
using plot::SvgCanvas;
using plot::TextAnchor;

namespace {

constexpr std::string_view kTitle =
    "Utilization of the narrowest wire or memory slice, by transfer size";
constexpr std::string_view kSubtitle =
    "Each transfer alone on the machine. Legends list the curves from the highest to the lowest.";
constexpr double kTextPx = 12;
constexpr double kTitlePx = 17;
constexpr double kMargin = 24;
constexpr double kPlotTop = 120;
constexpr double kPlotHeight = 320;
constexpr double kPlotWidth = 300;
constexpr double kAxisWidth = 44;  ///< left of a panel's plot, for its percentages
constexpr double kPanelGap = 20;
constexpr double kLegendTop = kPlotTop + kPlotHeight + 76;
constexpr double kLegendRow = 19;
constexpr double kSample = 38;  ///< length of a legend's line sample
constexpr double kMarker = 3.6;

constexpr std::array kMarkerShapes = {plot::MarkerShape::Circle, plot::MarkerShape::Square,
                                      plot::MarkerShape::Diamond, plot::MarkerShape::TriangleUp,
                                      plot::MarkerShape::TriangleDown};

/// The ends of a family's colours, from the highest curve to the lowest: 0xRRGGBB.
struct Ramp {
  std::uint32_t from;
  std::uint32_t to;
};
struct FamilyStyle {
  std::string_view heading;
  Ramp light;  ///< on a white ground
  Ramp dark;   ///< on a black one
};
// Blue, vermillion and bluish green of Okabe and Ito's scheme, which all kinds of colour vision
// tell apart, made darker and lighter; all have a contrast of 3 or more with their ground.
constexpr std::array<FamilyStyle, 3> kFamilyStyles = {
    {{"h2d: writes of the host", {0x003a5c, 0x2e8fd0}, {0xbfe1f7, 0x3d94cf}},
     {"d2h: reads of the host", {0x6e2c00, 0xe0701f}, {0xffd9bd, 0xe27a2f}},
     {"pe_dma: reads of a PE's DMA", {0x003325, 0x21a37d}, {0xd6f7ea, 0x1e9a77}}}};

const FamilyStyle& style_of(Family family) {
  return kFamilyStyles.at(static_cast<std::size_t>(family));
}

/// The colour `step` of `steps` from one end of the ramp to the other.
std::string shade(const Ramp& ramp, std::size_t step, std::size_t steps) {
  std::string text = "#";
  for (const unsigned shift : {16U, 8U, 0U}) {
    const std::size_t from = ramp.from >> shift & 0xFFU;
    const std::size_t to = ramp.to >> shift & 0xFFU;
    const std::size_t last = std::max<std::size_t>(steps - 1, 1);
    text += fmt::format("{:02x}", (from * (last - step) + to * step) / last);
  }
  return text;
}

/// The cases of a family, the highest curve first.
struct Panel {
  Family family = Family::HostWrite;
  std::vector<std::size_t> cases;
};

constexpr std::string_view kStyleSheet = R"css(
svg { --ground: #ffffff; --ink: #1c2733; --soft: #52606d; --grid: #e1e6eb; background: var(--ground);
  font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; }
text { fill: var(--ink); font-size: 12px; }
text.title { font-size: 17px; font-weight: 600; }
text.heading { font-weight: 600; }
text.soft { fill: var(--soft); }
.ground { fill: var(--ground); }
.grid { stroke: var(--grid); stroke-width: 1; }
.axis { stroke: var(--soft); stroke-width: 1.2; fill: none; }
.curve { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
.dashed { stroke-dasharray: 7 4; }
.marker { stroke-width: 1.4; stroke-linejoin: round; }
.hollow { fill: var(--ground); }
g.case:hover .curve { stroke-width: 4; }
)css";
constexpr std::string_view kDarkGround =
    "svg { --ground: #11161c; --ink: #e8edf2; --soft: #a9b4bf; --grid: #2a333d; }\n";

std::string curve_class(Family family, std::size_t rank) {
  return fmt::format("{}{}", name(family), rank);
}

std::string style_sheet(const std::vector<Panel>& panels) {
  std::string light;
  std::string dark{kDarkGround};
  for (const Panel& panel : panels) {
    const FamilyStyle& style = style_of(panel.family);
    for (std::size_t rank = 0; rank < panel.cases.size(); ++rank) {
      const auto rule = [&](const Ramp& ramp) {
        return fmt::format(".{0} {{ stroke: {1}; }} .full.{0} {{ fill: {1}; }}\n",
                           curve_class(panel.family, rank), shade(ramp, rank, panel.cases.size()));
      };
      light += rule(style.light);
      dark += rule(style.dark);
    }
  }
  return fmt::format("{}{}@media (prefers-color-scheme: dark) {{\n{}}}\n", kStyleSheet, light,
                     dark);
}

/// The outline of the marker of a family's `rank`-th curve.
std::string marker_path(std::size_t rank, PointPx at) {
  return plot::marker_outline(kMarkerShapes[rank % kMarkerShapes.size()], at, kMarker);
}

class Plot {
 public:
  Plot(const std::vector<ProbeCase>& cases, const std::vector<std::vector<ProbeResult>>& results)
      : cases_(cases), results_(results) {
    for (const Family family : {Family::HostWrite, Family::HostRead, Family::PeDma}) {
      add_panel(family);
    }
    first_log_ = std::log2(static_cast<double>(results.front().front().bytes));
    last_log_ = std::log2(static_cast<double>(results.front().back().bytes));
    // All panels are as wide as the widest legend needs.
    for (const ProbeCase& probe : cases) {
      panel_width_ = std::max(panel_width_, kSample + 10 + plot::text_width(probe.label, kTextPx));
    }
  }

  std::string draw() {
    std::size_t rows = 0;
    for (const Panel& panel : panels_) rows = std::max(rows, panel.cases.size());
    const auto columns = static_cast<double>(panels_.size());
    const double needed =
        std::max(plot::text_width(kTitle, kTitlePx), plot::text_width(kSubtitle, kTextPx));
    const double panels = columns * (kAxisWidth + panel_width_) + (columns - 1) * kPanelGap;
    const double width = std::max(3 * kMargin + panels, 2 * kMargin + needed);
    const double height = kLegendTop + kLegendRow * static_cast<double>(rows) + kMargin / 2;
    SvgCanvas canvas(width, height, "Utilization by transfer size", style_sheet(panels_));
    canvas.rect(0, 0, width, height, {"ground"});
    canvas.text(kMargin, 34, kTitle, {"title"}, TextAnchor::Start);
    canvas.text(kMargin, 54, kSubtitle, {"soft"}, TextAnchor::Start);
    double left = kMargin + kAxisWidth;
    for (const Panel& panel : panels_) {
      draw_panel(canvas, panel, {left, kPlotTop, kPlotWidth, kPlotHeight});
      left += panel_width_ + kPanelGap + kAxisWidth;
    }
    return std::move(canvas).finish();
  }

 private:
  void add_panel(Family family) {
    Panel panel{family, {}};
    for (std::size_t c = 0; c < cases_.size(); ++c) {
      if (cases_[c].family == family) panel.cases.push_back(c);
    }
    if (panel.cases.empty()) return;
    const auto height = [this](std::size_t c) {
      double sum = 0;
      for (const ProbeResult& result : results_[c]) sum += result.utilization();
      return sum;
    };
    std::stable_sort(panel.cases.begin(), panel.cases.end(),
                     [&](std::size_t a, std::size_t b) { return height(a) > height(b); });
    panels_.push_back(std::move(panel));
  }

  [[nodiscard]] double x_of(const BoxPx& plot, std::uint64_t bytes) const {
    const double log = std::log2(static_cast<double>(bytes));
    return plot.x + (log - first_log_) / (last_log_ - first_log_) * plot.w;
  }
  static double y_of(const BoxPx& plot, double utilization) {
    return plot.bottom() - utilization * plot.h;
  }

  void draw_panel(SvgCanvas& canvas, const Panel& panel, const BoxPx& plot) const {
    canvas.text(plot.x, plot.y - 34, style_of(panel.family).heading, {"heading"},
                TextAnchor::Start);
    draw_axes(canvas, plot);
    // The highest curve last, so that it lies on top where curves meet.
    for (std::size_t rank = panel.cases.size(); rank-- > 0;) draw_curve(canvas, panel, rank, plot);
    for (std::size_t rank = 0; rank < panel.cases.size(); ++rank) {
      const double y = kLegendTop + kLegendRow * static_cast<double>(rank);
      draw_sample(canvas, panel, rank, {plot.x, y});
    }
  }

  void draw_axes(SvgCanvas& canvas, const BoxPx& plot) const {
    for (const int percent : {0, 20, 40, 60, 80, 100}) {
      const double y = y_of(plot, percent / 100.0);
      canvas.line(plot.x, y, plot.right(), y, {"grid"});
      canvas.text(plot.x - 8, y + 4, fmt::format("{}", percent), {"soft"}, TextAnchor::End);
    }
    canvas.text(plot.x - kAxisWidth / 2, plot.y - 14, "utilization, %", {"soft"},
                TextAnchor::Start);
    double label_end = 0;
    for (const ProbeResult& result : results_.front()) {
      const double x = x_of(plot, result.bytes);
      canvas.line(x, plot.y, x, plot.bottom(), {"grid"});
      canvas.line(x, plot.bottom(), x, plot.bottom() + 5, {"axis"});
      // A label wherever the one before leaves room.
      const std::string text = size_text(result.bytes);
      const double half = plot::text_width(text, kTextPx) / 2;
      if (x - half < label_end) continue;
      canvas.text(x, plot.bottom() + 20, text, {"soft"});
      label_end = x + half + 6;
    }
    canvas.path(fmt::format("M{0} {1} L{0} {2} L{3} {2}", plot::svg_number(plot.x),
                            plot::svg_number(plot.y), plot::svg_number(plot.bottom()),
                            plot::svg_number(plot.right())),
                {"axis"});
    canvas.text(plot.x + plot.w / 2, plot.bottom() + 42, "transfer size (log scale)", {"soft"});
  }

  void draw_curve(SvgCanvas& canvas, const Panel& panel, std::size_t rank,
                  const BoxPx& plot) const {
    const std::size_t c = panel.cases[rank];
    std::vector<PointPx> points;
    std::string tooltip = fmt::format("{} {}", name(panel.family), cases_[c].label);
    for (const ProbeResult& result : results_[c]) {
      points.push_back({x_of(plot, result.bytes), y_of(plot, result.utilization())});
      tooltip +=
          fmt::format("\n{}: {:.1f} %", size_text(result.bytes), 100.0 * result.utilization());
    }
    draw_line(canvas, panel.family, rank, points, tooltip);
  }

  void draw_sample(SvgCanvas& canvas, const Panel& panel, std::size_t rank, PointPx left) const {
    const ProbeCase& probe = cases_[panel.cases[rank]];
    const std::string css = curve_class(panel.family, rank);
    const double y = left.y - kTextPx / 3;
    canvas.begin_group({"sample"});
    canvas.line(left.x, y, left.x + kSample, y, {line_class(css, rank)});
    canvas.path(marker_path(rank, {left.x + kSample / 2, y}), {marker_class(css, rank)});
    canvas.text(left.x + kSample + 10, left.y, probe.label, {"label"}, TextAnchor::Start);
    canvas.end_group();
  }

  static std::string line_class(std::string_view css, std::size_t rank) {
    return fmt::format("curve {}{}", css, rank % 2 == 0 ? "" : " dashed");
  }
  static std::string marker_class(std::string_view css, std::size_t rank) {
    return fmt::format("marker {} {}", css,
                       rank / kMarkerShapes.size() % 2 == 0 ? "full" : "hollow");
  }

  static void draw_line(SvgCanvas& canvas, Family family, std::size_t rank,
                        const std::vector<PointPx>& points, const std::string& tooltip) {
    const std::string css = curve_class(family, rank);
    canvas.begin_group({"case", tooltip, css});
    canvas.path(plot::polyline_path(points), {line_class(css, rank)});
    for (const PointPx& point : points) {
      canvas.path(marker_path(rank, point), {marker_class(css, rank)});
    }
    canvas.end_group();
  }

  const std::vector<ProbeCase>& cases_;
  const std::vector<std::vector<ProbeResult>>& results_;
  std::vector<Panel> panels_;
  double first_log_ = 0;
  double last_log_ = 0;
  double panel_width_ = kPlotWidth;
};

}  // namespace

std::string probe_plot(const std::vector<ProbeCase>& cases,
                       const std::vector<std::vector<ProbeResult>>& results) {
  if (cases.empty() || results.size() != cases.size()) {
    throw std::invalid_argument("a plot needs results for each of its cases, of one at least");
  }
  for (const std::vector<ProbeResult>& of_case : results) {
    if (of_case.size() < 2) throw std::invalid_argument("a plot needs results at two sizes");
  }
  return Plot(cases, results).draw();
}

std::string size_text(std::uint64_t bytes) {
  if (bytes % (1U << 20U) == 0) return fmt::format("{} MiB", bytes >> 20U);
  if (bytes % (1U << 10U) == 0) return fmt::format("{} KiB", bytes >> 10U);
  return fmt::format("{} B", bytes);
}

}  // namespace kernbench::model::probe

// SPDX-License-Identifier: Apache-2.0
#include "plot/line_chart.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "plot/text_width.hpp"

namespace kernbench::plot {

namespace {

constexpr double kMargin = 24;
constexpr double kTopOfAll = 120;  // top of the plots below title, subtitle and headings
constexpr double kTopBelowTitle = 76;
constexpr double kPanelGap = 24;
constexpr double kAboveLegend = 76;  // from the plot to the first baseline of the legend
constexpr double kLegendRow = 20;
constexpr double kBesideSample = 10;

/// Names of curves with samples of them, column after column.
struct Legend {
  double left = 0;
  std::vector<const ChartSeries*> entries{};
  std::size_t columns = 1;

  [[nodiscard]] std::size_t rows() const { return (entries.size() + columns - 1) / columns; }

  void add_new_names(const ChartPanel& panel) {
    for (const ChartSeries& series : panel.series) {
      const auto same = [&](const ChartSeries* other) { return other->name == series.name; };
      if (std::none_of(entries.begin(), entries.end(), same)) entries.push_back(&series);
    }
  }
};

class Page {
 public:
  explicit Page(const LineChart& chart) : chart_(chart) {
    if (chart.panels.empty()) throw std::invalid_argument("a chart needs panels");
    for (const ChartPanel& panel : chart.panels) {
      const Range y = data_range(panel).y;
      if (y.empty()) throw std::invalid_argument("a panel of a chart needs points");
      y_.add(y);
      for (const ChartSeries& series : panel.series) {
        const double name = text_width(series.name, kTextPx);
        entry_width_ = std::max(entry_width_, kSampleWidth + kBesideSample + name);
      }
    }
    const bool has_headings =
        std::any_of(chart.panels.begin(), chart.panels.end(),
                    [](const ChartPanel& panel) { return !panel.heading.empty(); });
    if (has_headings || !chart.subtitle.empty()) top_ = kTopOfAll;
    const bool apart = chart.legend == LegendPlace::BelowEachPanel;
    pitch_ = std::max(chart.panel_size.w, apart ? entry_width_ : 0) + kPanelGap + kTickRoom;
    width_ = std::max({3 * kMargin + static_cast<double>(chart.panels.size()) * pitch_ - kPanelGap,
                       2 * kMargin + text_width(chart.title, kTitlePx),
                       2 * kMargin + text_width(chart.subtitle, kTextPx)});
    apart ? make_legend_of_each_panel() : make_common_legend();
  }

  std::string draw() {
    const double legend_top = top_ + chart_.panel_size.h + kAboveLegend;
    std::size_t rows = 0;
    for (const Legend& legend : legends_) rows = std::max(rows, legend.rows());
    const double height = legend_top + kLegendRow * static_cast<double>(rows) + kMargin / 2;

    SvgCanvas canvas(width_, height, chart_.title, chart_style_sheet(chart_.colours));
    canvas.text(kMargin, 34, chart_.title, {"title"}, TextAnchor::Start);
    if (!chart_.subtitle.empty()) {
      canvas.text(kMargin, 54, chart_.subtitle, {"soft"}, TextAnchor::Start);
    }
    const Axis y(chart_.y, y_);
    double left = kLeft;
    for (const ChartPanel& panel : chart_.panels) {
      draw_panel(canvas, panel, y, {left, top_, chart_.panel_size.w, chart_.panel_size.h});
      left += pitch_;
    }
    for (const Legend& legend : legends_) draw_legend(canvas, legend, legend_top);
    return std::move(canvas).finish();
  }

 private:
  void make_common_legend() {
    Legend legend{.left = kLeft};
    for (const ChartPanel& panel : chart_.panels) legend.add_new_names(panel);
    const auto columns = (width_ - kMargin - kLeft) / (entry_width_ + kPanelGap);
    legend.columns = std::max<std::size_t>(1, static_cast<std::size_t>(columns));
    legends_.push_back(std::move(legend));
  }

  void make_legend_of_each_panel() {
    double left = kLeft;
    for (const ChartPanel& panel : chart_.panels) {
      Legend legend{.left = left};
      for (const ChartSeries& series : panel.series) legend.entries.push_back(&series);
      legends_.push_back(std::move(legend));
      left += pitch_;
    }
  }

  void draw_legend(SvgCanvas& canvas, const Legend& legend, double top) const {
    for (std::size_t i = 0; i < legend.entries.size(); ++i) {
      const std::size_t column = i / legend.rows();
      const std::size_t row = i % legend.rows();
      const double x = legend.left + static_cast<double>(column) * (entry_width_ + kPanelGap);
      const double baseline = top + static_cast<double>(row) * kLegendRow;
      canvas.begin_group({"sample"});
      draw_sample(canvas, legend.entries[i]->style, {x, baseline - kTextPx / 3});
      canvas.text(x + kSampleWidth + kBesideSample, baseline, legend.entries[i]->name, {"label"},
                  TextAnchor::Start);
      canvas.end_group();
    }
  }

  static constexpr double kLeft = kMargin + kTickRoom;  ///< left of the first plot

  const LineChart& chart_;
  Range y_;
  double entry_width_ = 0;  ///< width of the widest entry of a legend
  double pitch_ = 0;        ///< distance from panel to panel
  double width_ = 0;
  double top_ = kTopBelowTitle;  ///< top of the plots
  std::vector<Legend> legends_;
};

}  // namespace

std::string line_chart_svg(const LineChart& chart) {
  return Page(chart).draw();
}

}  // namespace kernbench::plot

// SPDX-License-Identifier: Apache-2.0
#include "model/serving/serving_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "common/markup.hpp"
#include "plot/html_text.hpp"
#include "plot/line_chart.hpp"
#include "plot/palette.hpp"

namespace kernbench::model::serving {
namespace {

using nlohmann::json;

constexpr plot::SizePx kPanel = {240, 190};  // three stand side by side
constexpr double kPsPerMs = 1e9;
constexpr double kWideRange = 10;  // ratio of the ends from which an axis is logarithmic
// Loads whose lines are drawn over time; more cannot be told apart.
constexpr unsigned kMostLines = 2 * plot::kPaletteSize;

/// A part of the time of a server: a member of the report, and its name.
struct TimePart {
  const char* member;
  const char* name;
};
constexpr std::array<TimePart, 3> kTimeParts = {
    {{"prefill_ps", "prefill"}, {"decode_ps", "decode"}, {"attention_ps", "cached tokens"}}};

double number_at(const json& object, const char* member) {
  return object.at(member).get<double>();
}

std::string chart_of(const std::string& title, plot::ChartPanel panel, plot::AxisSpec y) {
  std::erase_if(panel.series, [](const plot::ChartSeries& one) { return one.points.empty(); });
  if (panel.series.empty()) return {};
  plot::LineChart chart;
  chart.title = title;
  chart.y = std::move(y);
  chart.panels.push_back(std::move(panel));
  chart.panel_size = kPanel;
  return line_chart_svg(chart);
}

/// Returns the percentiles of a latency over the rate of requests.
std::string latency_chart(const json& runs, const char* member, const std::string& title) {
  plot::ChartPanel panel{.heading = "", .x = {.label = "requests/s"}};
  for (const auto& [key, name] :
       {std::pair("p99", "99 %"), std::pair("p90", "90 %"), std::pair("p50", "50 %")}) {
    const auto index = static_cast<unsigned>(panel.series.size());
    plot::ChartSeries series{.name = name, .style = plot::palette_style(index)};
    for (const json& run : runs) {
      if (run.at(member).is_null()) continue;
      const double ms = number_at(run.at(member), key) / kPsPerMs;
      const double rate = number_at(run, "requests_per_s");
      if (ms <= 0) continue;
      series.points.push_back({rate, ms});
      series.point_tooltips.push_back(
          fmt::format("{}: {:.4g} ms at {:.5g} requests/s", name, ms, rate));
    }
    panel.series.push_back(std::move(series));
  }
  const plot::Range range = data_range(panel).y;
  const bool is_wide = range.high > kWideRange * range.low;
  return chart_of(
      title, std::move(panel),
      is_wide ? plot::AxisSpec{"ms, log scale", plot::AxisScale::Log} : plot::AxisSpec{"ms"});
}

std::string name_of(const json& run) {
  if (!run.at("load").is_null()) return fmt::format("load {:.2g}", number_at(run, "load"));
  return fmt::format("{:.4g} requests/s", number_at(run, "requests_per_s"));
}

/// Returns a mean of the stretches over time, a line for each load.
std::string timeline_chart(const json& runs, const char* member, const std::string& title,
                           const char* label, double unit) {
  plot::ChartPanel panel{.heading = "", .x = {.label = "ms"}};
  for (const json& run : runs) {
    const auto index = static_cast<unsigned>(panel.series.size());
    if (index == kMostLines) break;
    plot::ChartSeries series{.name = name_of(run),
                             .style = plot::palette_style(index, index >= plot::kPaletteSize)};
    series.markers = false;
    for (const json& stretch : run.at("timeline")) {
      series.points.push_back(
          {number_at(stretch, "begin_ps") / kPsPerMs, number_at(stretch, member) / unit});
    }
    panel.series.push_back(std::move(series));
  }
  return chart_of(title, std::move(panel), {label});
}

/// Returns a bar for each load: prefills, decodes, attention to cached tokens, and idle time.
std::string time_table(const json& runs) {
  std::string out = "<table class=\"rows\">\n<thead><tr><th>load</th>";
  for (const TimePart& part : kTimeParts) {
    plot::print(out, "<th class=\"n\"><i class=\"key {}\"></i>{} (%)</th>", part.member, part.name);
  }
  out += "<th class=\"n\">idle (%)</th><th>share of the time</th></tr></thead>\n<tbody>\n";
  for (const json& run : runs) {
    plot::print(out, "<tr><td style=\"white-space: nowrap\">{}</td>",
                common::escape_markup(name_of(run)));
    double idle = 100;
    std::string bars;
    for (const TimePart& part : kTimeParts) {
      const double percent = 100.0 * number_at(run, part.member) / number_at(run, "end_ps");
      idle -= percent;
      plot::print(out, "<td class=\"n\">{:.1f}</td>", percent);
      plot::print(bars, "<i class=\"{}\" style=\"width:{:.2f}%\"></i>", part.member, percent);
    }
    plot::print(out,
                "<td class=\"n\">{:.1f}</td><td class=\"wide\"><span class=\"stack\">{}</span>"
                "</td></tr>\n",
                std::max(idle, 0.0), bars);
  }
  return plot::scroll_box("Where the time goes", out + "</tbody>\n</table>\n");
}

/// Returns the rules of time_table(), in the colours of the charts.
std::string time_style() {
  const std::vector<plot::SeriesColour> palette = plot::palette();
  std::string light;
  std::string dark;
  for (std::size_t i = 0; i < kTimeParts.size(); ++i) {
    const char* const rule = ".{} {{ background: #{:06x}; }}\n";
    light += fmt::format(fmt::runtime(rule), kTimeParts[i].member, palette[i].light);
    dark += fmt::format(fmt::runtime(rule), kTimeParts[i].member, palette[i].dark);
  }
  return fmt::format(
      "<style>\n.stack {{ display: flex; height: 12px; min-width: 160px; border-radius: 3px; "
      "overflow: hidden; background: var(--empty); }}\n.stack i {{ display: block; }}\n"
      ".key {{ display: inline-block; width: 10px; height: 10px; margin-right: 6px; "
      "border-radius: 2px; }}\n{}@media screen and (prefers-color-scheme: dark) "
      "{{\n{}}}\n</style>\n",
      light, dark);
}

std::string side_by_side(const std::vector<std::string>& charts) {
  std::string out = "<div class=\"charts\">\n";
  for (const std::string& chart : charts) out += chart;
  return out + "</div>\n";
}

}  // namespace

std::vector<plot::ReportSection> serving_charts(const json& data) {
  const json& runs = data.at("runs");
  const double percent = number_at(data, "cache_pages") / 100;
  return {{"Latency over load",
           side_by_side({latency_chart(runs, "first_token_ps", "Time to the first token"),
                         latency_chart(runs, "per_token_ps", "Time of each further token"),
                         latency_chart(runs, "request_ps", "Time of a request")}),
           true},
          {"Queue, batch and cache over time",
           side_by_side({timeline_chart(runs, "waiting", "Waiting requests", "requests", 1),
                         timeline_chart(runs, "batch", "Requests in the batch", "requests", 1),
                         timeline_chart(runs, "pages", "Cache in use", "% of its pages", percent)}),
           true},
          {"Where the time goes", time_style() + time_table(runs)}};
}

}  // namespace kernbench::model::serving

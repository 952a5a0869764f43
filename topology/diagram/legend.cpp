// SPDX-License-Identifier: Apache-2.0
#include "topology/diagram/legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "plot/text_width.hpp"
#include "topology/diagram/view_style.hpp"

namespace kernbench::topology {

namespace {

constexpr double kRowPx = 20;
constexpr double kSwatchPx = 30;  // width of a sample and the gap to its text
constexpr double kBarTextPx = 8;  // gap between the bar and its label

struct Spread {
  double min = 0;
  double max = 0;
};

void widen(Spread& spread, double value) {
  spread.min = std::min(spread.min, value);
  spread.max = std::max(spread.max, value);
}

std::string spread_text(const Spread& spread, std::string_view unit) {
  const std::string least = plot::svg_number(spread.min);
  const std::string most = plot::svg_number(spread.max);
  return least == most ? fmt::format("{} {}", least, unit)
                       : fmt::format("{}\u2013{} {}", least, most, unit);
}

/// Returns the largest of 1, 2, 5, 10, 20, ... mm that is at most `limit_mm`.
double round_length(double limit_mm) {
  const double decade = std::pow(10.0, std::floor(std::log10(limit_mm)));
  for (const double step : {5.0, 2.0}) {
    if (step * decade <= limit_mm) return step * decade;
  }
  return decade;
}

double bar_length_mm(double px_per_mm, double extent_px) {
  return round_length(std::clamp(extent_px / 8, 40.0, 160.0) / px_per_mm);
}

std::string bar_text(double length_mm) {
  return fmt::format("{} mm", length_mm);
}

}  // namespace

Legend::Legend(const View& view) {
  add_nodes(view);
  add_edges(view);
  add_maze_depths(view);
}

void Legend::add_nodes(const View& view) {
  entries_.push_back({{}, false, "Nodes"});
  std::vector<std::string> seen;
  for (const ViewNode& node : view.nodes) {
    const std::string css = css_class(node);
    if (std::find(seen.begin(), seen.end(), css) != seen.end()) continue;
    seen.push_back(css);
    entries_.push_back({css, false, std::string(role(node))});
  }
}

void Legend::add_edges(const View& view) {
  std::map<EdgeKind, std::pair<Spread, Spread>> kinds;
  for (const ViewEdge& edge : view.edges) {
    const Spread bandwidth{edge.bw_gbs, edge.bw_gbs};
    const Spread length{edge.length_mm, edge.length_mm};
    auto& spreads = kinds.try_emplace(edge.kind, bandwidth, length).first->second;
    widen(spreads.first, edge.bw_gbs);
    widen(spreads.second, edge.length_mm);
  }
  if (kinds.empty()) return;
  entries_.push_back({{}, false, "Links"});
  for (const auto& [kind, spreads] : kinds) {
    ViewEdge sample;
    sample.kind = kind;
    entries_.push_back({css_class(sample), true, std::string(name(kind))});
    entries_.push_back({{},
                        true,
                        fmt::format("{}, {}", spread_text(spreads.first, "GB/s"),
                                    spread_text(spreads.second, "mm"))});
  }
  const bool one_way = std::any_of(view.edges.begin(), view.edges.end(),
                                   [](const ViewEdge& edge) { return !edge.both_ways; });
  entries_.push_back({{}, true, "a line without arrow: both ways"});
  if (one_way) entries_.push_back({{}, true, "a line with arrow: one way"});
}

void Legend::add_maze_depths(const View& view) {
  std::map<unsigned, std::pair<ViewEdge, Spread>> depths;
  for (const ViewEdge& edge : view.edges) {
    if (edge.kind != EdgeKind::MazeLink) continue;
    const Spread length{edge.length_mm, edge.length_mm};
    widen(depths.try_emplace(edge.maze_depth, edge, length).first->second.second, edge.length_mm);
  }
  if (depths.empty()) return;
  entries_.push_back({{}, false, "IRS stages of a maze_link"});
  for (const auto& [depth, sample] : depths) {
    entries_.push_back({css_class(sample.first), true,
                        fmt::format("{}{}: {}", depth, depth == 0 ? " (plain wire)" : "",
                                    spread_text(sample.second, "mm"))});
  }
}

plot::SizePx Legend::size() const {
  plot::SizePx size{0, static_cast<double>(entries_.size()) * kRowPx};
  for (const Entry& entry : entries_) {
    size.w = std::max(size.w, kSwatchPx + plot::text_width(entry.text, kLabelPx));
  }
  return size;
}

void Legend::draw(plot::SvgCanvas& canvas, plot::PointPx top_left) const {
  canvas.begin_group({"legend"});
  double y = top_left.y;
  for (const Entry& entry : entries_) {
    const double middle = y + kRowPx / 2;
    const double baseline = middle + kLabelPx * 0.35;
    const bool heading = entry.css_class.empty() && !entry.is_line;
    const bool note = entry.css_class.empty() && entry.is_line;
    if (!entry.css_class.empty() && entry.is_line) {
      canvas.line(top_left.x, middle, top_left.x + 22, middle, {entry.css_class});
    } else if (!entry.css_class.empty()) {
      canvas.rect(top_left.x, middle - 6, 22, 12, {entry.css_class}, 2);
    }
    canvas.text(heading ? top_left.x : top_left.x + kSwatchPx, baseline, entry.text,
                {heading ? "heading"
                 : note  ? "soft"
                         : ""},
                plot::TextAnchor::Start);
    y += kRowPx;
  }
  canvas.end_group();
}

plot::SizePx scale_bar_size(double px_per_mm, double extent_px) {
  const double length_mm = bar_length_mm(px_per_mm, extent_px);
  return {length_mm * px_per_mm + kBarTextPx + plot::text_width(bar_text(length_mm), kLabelPx), 14};
}

void draw_scale_bar(plot::SvgCanvas& canvas, plot::PointPx left_end, double px_per_mm,
                    double extent_px) {
  const double length_mm = bar_length_mm(px_per_mm, extent_px);
  const double end = left_end.x + length_mm * px_per_mm;
  const std::string d = fmt::format("M{0} {1}v8m0-4H{2}m0-4v8", plot::svg_number(left_end.x),
                                    plot::svg_number(left_end.y - 4), plot::svg_number(end));
  canvas.path(d, {"scale", "scale bar"});
  canvas.text(end + kBarTextPx, left_end.y + 4, bar_text(length_mm), {}, plot::TextAnchor::Start);
}

}  // namespace kernbench::topology

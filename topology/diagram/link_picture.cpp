// SPDX-License-Identifier: Apache-2.0
#include "topology/diagram/link_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "common/markup.hpp"
#include "plot/geometry.hpp"

namespace kernbench::topology {

using common::escape_markup;
using plot::PointPx;

namespace {

constexpr double kWidthPx = 760;
constexpr double kMarginPx = 14;
constexpr double kNumberPx = 9;  ///< radius of a number's circle
constexpr double kHeadPx = 9;    ///< length of an arrow's head
constexpr double kLeastPx = 24;  ///< shorter arrows are lengthened

constexpr std::string_view kStyle = R"css(
.links-map { display: block; width: 100%; max-width: 820px; height: auto; margin: 6px 0 12px; }
.links-map .block { fill: var(--empty); stroke: var(--line); }
.links-map .io { fill: none; stroke: var(--line); stroke-dasharray: 4 3; }
.links-map text { font: 10px "DejaVu Sans", sans-serif; fill: var(--dim); text-anchor: middle; }
.links-map .router { fill: var(--line); }
.links-map .way { stroke: var(--s6); stroke-width: 4; fill: none; }
.links-map .head { fill: var(--s6); }
.links-map .leader { stroke: var(--s6); stroke-width: 1; }
.links-map .number { fill: var(--text); }
.links-map .number + text { fill: var(--card); font-weight: 700; }
)css";

/// Returns the scale and the height of the picture.
struct Scale {
  explicit Scale(const View& view)
      : px_per_mm((kWidthPx - 2 * kMarginPx) / view.w_mm),
        height(view.h_mm * px_per_mm + 2 * kMarginPx) {}

  [[nodiscard]] PointPx at(PositionMm place) const {
    return {kMarginPx + place.x * px_per_mm, kMarginPx + place.y * px_per_mm};
  }

  double px_per_mm;
  double height;
};

void draw_blocks(std::string& out, const View& view, const Scale& scale) {
  for (const ViewNode& node : view.nodes) {
    const bool cube = node.shape == ViewShape::CubeBlock;
    if (!cube && node.shape != ViewShape::IoBlock) continue;
    const PointPx middle = scale.at(node.center);
    const double w = node.w_mm * scale.px_per_mm;
    const double h = node.h_mm * scale.px_per_mm;
    fmt::format_to(std::back_inserter(out),
                   "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                   "height=\"{:.1f}\" rx=\"3\"/>\n<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                   cube ? "block" : "io", middle.x - w / 2, middle.y - h / 2, w, h, middle.x,
                   middle.y + 4, escape_markup(node.label));
  }
}

void draw_routers(std::string& out, const TopologyGraph& graph, std::uint16_t sip,
                  const Scale& scale) {
  for (const Node& node : graph.nodes()) {
    if (node.sip != sip || node.kind != NodeKind::Router) continue;
    const PointPx at = scale.at(node.position);
    fmt::format_to(std::back_inserter(out),
                   "<circle class=\"router\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\"/>\n", at.x, at.y);
  }
}

/// An arrow from one place to another, at least kLeastPx long.
struct Arrow {
  Arrow(PointPx a, PointPx b) : from(a), to(b) {
    double dx = b.x - a.x;
    double dy = b.y - a.y;
    double length = std::hypot(dx, dy);
    if (length < 1e-6) {
      dx = 1;
      dy = 0;
      length = 1;
    }
    way = {dx / length, dy / length};
    const double missing = std::max(0.0, kLeastPx - std::hypot(b.x - a.x, b.y - a.y)) / 2;
    from = {a.x - way.x * missing, a.y - way.y * missing};
    to = {b.x + way.x * missing, b.y + way.y * missing};
  }

  /// Returns the place `along` from the start (0) to the end (1), and `aside` px to its left.
  [[nodiscard]] PointPx at(double along, double aside) const {
    return {from.x + (to.x - from.x) * along + way.y * aside,
            from.y + (to.y - from.y) * along - way.x * aside};
  }

  PointPx from;
  PointPx to;
  PointPx way;  ///< unit vector
};

/// Returns the free place nearest to the arrow for its number.
PointPx place_of_number(const Arrow& arrow, const std::vector<PointPx>& taken, double height) {
  const auto is_free = [&](PointPx at) {
    return at.x > kNumberPx && at.y > kNumberPx && at.x < kWidthPx - kNumberPx &&
           at.y < height - kNumberPx && std::all_of(taken.begin(), taken.end(), [&](PointPx other) {
             return std::hypot(at.x - other.x, at.y - other.y) > 2 * kNumberPx + 2;
           });
  };
  for (double aside = 16; aside < 200; aside += 6) {
    for (const double along : {0.5, 0.0, 1.0, -0.5, 1.5}) {
      for (const double side : {1.0, -1.0}) {
        const PointPx at = arrow.at(along, side * aside);
        if (is_free(at)) return at;
      }
    }
  }
  return arrow.at(0.5, 16);
}

void draw_arrow(std::string& out, const Arrow& arrow, const std::string& title) {
  const PointPx neck = {arrow.to.x - arrow.way.x * kHeadPx, arrow.to.y - arrow.way.y * kHeadPx};
  const double wide = kHeadPx * 0.7;
  fmt::format_to(std::back_inserter(out),
                 "<g><title>{}</title><path class=\"way\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>"
                 "<path class=\"head\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\"/></g>\n",
                 escape_markup(title), arrow.from.x, arrow.from.y, neck.x, neck.y, arrow.to.x,
                 arrow.to.y, neck.x + arrow.way.y * wide, neck.y - arrow.way.x * wide,
                 neck.x - arrow.way.y * wide, neck.y + arrow.way.x * wide);
}

void draw_number(std::string& out, const Arrow& arrow, PointPx at, std::size_t number) {
  const PointPx middle = arrow.at(0.5, 0);
  fmt::format_to(std::back_inserter(out),
                 "<line class=\"leader\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>"
                 "<circle class=\"number\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>"
                 "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                 middle.x, middle.y, at.x, at.y, at.x, at.y, kNumberPx, at.x, at.y + 3.6, number);
}

}  // namespace

std::uint16_t sip_of(const TopologyGraph& graph, EdgeId edge) {
  const std::uint16_t from = graph.node(graph.edge(edge).from).sip;
  return from == graph.node(graph.edge(edge).to).sip ? from : kNoIndex;
}

std::string link_picture(const TopologyGraph& graph, std::uint16_t sip,
                         const std::vector<MarkedLink>& links) {
  const View& view = graph.view(ViewLevel::Sip);
  const Scale scale(view);
  std::string out = fmt::format(
      "<svg class=\"links-map\" viewBox=\"0 0 {} {:.0f}\" role=\"img\" "
      "aria-label=\"SIP {} with its numbered links\">\n",
      kWidthPx, scale.height, sip);
  draw_blocks(out, view, scale);
  draw_routers(out, graph, sip, scale);
  std::vector<PointPx> taken;
  std::string numbers;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (sip_of(graph, links[i].edge) != sip) continue;
    const Edge& edge = graph.edge(links[i].edge);
    const Arrow arrow(scale.at(graph.node(edge.from).position),
                      scale.at(graph.node(edge.to).position));
    draw_arrow(out, arrow, links[i].title);
    taken.push_back(place_of_number(arrow, taken, scale.height));
    draw_number(numbers, arrow, taken.back(), i + 1);
  }
  return out + numbers + "</svg>\n";
}

std::string_view link_picture_style() {
  return kStyle;
}

}  // namespace kernbench::topology

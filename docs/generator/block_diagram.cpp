#include "docs/generator/block_diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "docs/generator/svg.hpp"

namespace kernbench::docs {

using topology::MazeLink;
using topology::MazeLinks;

namespace {

constexpr double kStep = 92;  // from node to node
constexpr double kHalf = 21;  // half a node's side
constexpr double kLeft = 96;
constexpr double kTop = 130;
constexpr std::array<const char*, 8> kDepthColours = {"#1a7a3a", "#1b5e9e", "#7a3fa0", "#b3261e",
                                                      "#a14a00", "#5d6b00", "#00707a", "#444444"};

const char* colour_of(unsigned depth) {
  return kDepthColours[depth % kDepthColours.size()];
}

double at_x(unsigned x) {
  return kLeft + kStep * x;
}
double at_y(unsigned y) {
  return kTop + kStep * y;
}

/// An arc along a row (or, with x and y exchanged, along a column) whose height grows with the
/// distance, so that arcs of one node do not cover each other. Its label stands at the far end.
struct Arc {
  double from = 0;   ///< along the line
  double to = 0;     ///< along the line
  double base = 0;   ///< across it: where the arc touches its nodes
  double bulge = 0;  ///< across it: how far the control points lie from the base
};

std::string arc_path(const Arc& arc, bool along_x) {
  const double peak = arc.base + arc.bulge;
  return along_x ? fmt::format("M{0:g} {1:g}C{0:g} {2:g} {3:g} {2:g} {3:g} {1:g}", arc.from,
                               arc.base, peak, arc.to)
                 : fmt::format("M{1:g} {0:g}C{2:g} {0:g} {2:g} {3:g} {1:g} {3:g}", arc.from,
                               arc.base, peak, arc.to);
}

void draw_link(Svg& svg, const MazeLinks& links, const MazeLink& link) {
  const bool along_x = link.from.port < links.x_ports();
  const unsigned from = along_x ? links.x_of(link.from.node) : links.y_of(link.from.node);
  const unsigned to = along_x ? links.x_of(link.to.node) : links.y_of(link.to.node);
  const bool wraps = to < from;
  const double hops = wraps ? from - to : to - from;
  // Leaving from slightly different spots keeps the arcs of one side apart.
  const double spread = 3.0 * hops - 2;
  Arc arc;
  arc.from = (along_x ? at_x(from) : at_y(from)) + (wraps ? -spread : spread);
  arc.to = along_x ? at_x(to) : at_y(to);
  const double line = along_x ? at_y(links.y_of(link.from.node)) : at_x(links.x_of(link.from.node));
  // X arcs above the row, Y arcs right of the column; wrapping ones on the other side.
  const double side = (along_x != wraps) ? -1 : 1;
  arc.base = line + side * kHalf;
  arc.bulge = side * (12 + 12 * hops);
  svg.path(arc_path(arc, along_x), colour_of(link.depth), 2, "none", true);
  const std::string label = fmt::format("{}:{}", links.port_name(link.from.port), link.depth);
  if (along_x) {
    svg.text(arc.to, line - side * (kHalf + (side < 0 ? 13 : 5)), label, Svg::Anchor::Middle, 12,
             colour_of(link.depth), true);
  } else {
    svg.text(line - side * (kHalf + 5), arc.to + 4, label,
             side < 0 ? Svg::Anchor::Start : Svg::Anchor::End, 12, colour_of(link.depth), true);
  }
}

void draw_nodes(Svg& svg, const MazeLinks& links, unsigned marked) {
  for (unsigned node = 0; node < links.nodes(); ++node) {
    const double x = at_x(links.x_of(node));
    const double y = at_y(links.y_of(node));
    const bool reached =
        links.x_of(node) == links.x_of(marked) || links.y_of(node) == links.y_of(marked);
    svg.rectangle(x - kHalf, y - kHalf, 2 * kHalf, 2 * kHalf,
                  node == marked ? "#ffe9a8"
                  : reached      ? "#eef3f8"
                                 : "#fafafa",
                  reached ? "#666666" : "#cccccc", 4);
    svg.text(x, y + 5, fmt::format("{}", node), Svg::Anchor::Middle, 13,
             reached ? "#222222" : "#aaaaaa", node == marked);
  }
  for (unsigned x = 0; x < links.nx(); ++x) {
    svg.text(at_x(x), kTop - 60, fmt::format("x={}", x), Svg::Anchor::Middle, 12, "#777777");
  }
  for (unsigned y = 0; y < links.ny(); ++y) {
    svg.text(kLeft - 52, at_y(y) + 4, fmt::format("y={}", y), Svg::Anchor::Middle, 12, "#777777");
  }
}

}  // namespace

std::string block_diagram(const MazeLinks& links, unsigned node) {
  const double bottom = at_y(links.ny() - 1) + 60;
  const std::string title =
      fmt::format("{}x{} MAZE Topo: the {} links that leave node {} {}", links.nx(), links.ny(),
                  links.ports(), node, links.coordinates(node));
  Svg svg(at_x(links.nx() - 1) + 110, bottom + 56, title);
  svg.text(20, 28, title, Svg::Anchor::Start, 16, "#222222", true);
  svg.text(20, 48,
           fmt::format("All nodes have the same: {} directed links, {} IRS stages, {} links are "
                       "plain wires. A label is port:depth.",
                       links.links().size(), links.total_stages(), links.wires()),
           Svg::Anchor::Start, 12, "#555555");
  draw_nodes(svg, links, node);
  unsigned deepest = 0;
  for (unsigned port = 0; port < links.ports(); ++port) {
    draw_link(svg, links, links.leaving(node, port));
    deepest = std::max(deepest, links.leaving(node, port).depth);
  }
  for (unsigned depth = 0; depth <= deepest; ++depth) {
    const double x = kLeft + 150.0 * depth;
    svg.line(x, bottom + 20, x + 34, bottom + 20, colour_of(depth), 3);
    svg.text(x + 42, bottom + 24, depth == 0 ? "wire" : fmt::format("{} x IRS_LP", depth),
             Svg::Anchor::Start, 12);
  }
  return svg.str();
}

std::string link_diagram(unsigned depth) {
  const std::string title = fmt::format("Signal flow of a link with {} stages", depth);
  const double stage = 120;
  const double irs_x = 200;
  const double irs_w = stage * depth + 30;
  const double right = irs_x + irs_w + 80;
  Svg svg(right + 140, 230, title);
  svg.text(20, 28, title, Svg::Anchor::Start, 16, "#222222", true);
  const auto node = [&](double x, const char* name, const char* port) {
    svg.rectangle(x, 70, 110, 120, "#eef3f8", "#666666", 4);
    svg.text(x + 55, 122, name, Svg::Anchor::Middle, 13, "#222222", true);
    svg.text(x + 55, 142, port, Svg::Anchor::Middle, 12, "#555555");
  };
  const auto wires = [&](double from, double to) {
    svg.path(fmt::format("M{:g} 105H{:g}", from, to), "#444444", 1.6, "none", true);
    svg.path(fmt::format("M{:g} 130H{:g}", from, to), "#444444", 3.2, "none");
    svg.path(fmt::format("M{:g} 155H{:g}", to, from), "#444444", 1.6, "none", true);
  };
  node(20, "sender", "xo_*[i]");
  node(right, "receiver", "xi_*[i]");
  svg.rectangle(irs_x, 52, irs_w, 156, "#fbfbf4", "#999999", 6);
  svg.text(irs_x + 10, 70, fmt::format("IRS_N, IRS_DEEP={}", depth), Svg::Anchor::Start, 12,
           "#555555");
  wires(130, depth == 0 ? right : irs_x + 25);
  for (unsigned i = 0; i < depth; ++i) {
    const double x = irs_x + 25 + stage * i;
    svg.rectangle(x, 80, 84, 100, "#ffffff", "#1b5e9e", 4);
    svg.text(x + 42, 126, "IRS_LP", Svg::Anchor::Middle, 13, "#1b5e9e", true);
    svg.text(x + 42, 144, "holds 2", Svg::Anchor::Middle, 11, "#555555");
    wires(x + 84, i + 1 == depth ? right : x + stage);
  }
  svg.text(165, 98, "valid", Svg::Anchor::Middle, 10, "#777777");
  svg.text(165, 123, "packet", Svg::Anchor::Middle, 10, "#777777");
  svg.text(165, 171, "ready", Svg::Anchor::Middle, 10, "#777777");
  return svg.str();
}

}  // namespace kernbench::docs

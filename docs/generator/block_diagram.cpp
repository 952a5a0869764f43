// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/block_diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "docs/generator/figure.hpp"

namespace kernbench::docs {

using plot::PointPx;
using plot::TextAnchor;
using topology::MazeLink;
using topology::MazeLinks;

namespace {

constexpr double kStep = 92;  // from node to node
constexpr double kHalf = 21;  // half a node's side
constexpr double kLeft = 96;
constexpr double kTop = 130;
constexpr std::array<const char*, 8> kDepthColours = {"#1a7a3a", "#1b5e9e", "#7a3fa0", "#b3261e",
                                                      "#a14a00", "#5d6b00", "#00707a", "#444444"};
constexpr std::array<const char*, 8> kDarkDepthColours = {
    "#5cc07c", "#6ea0d0", "#b98ae0", "#f07a72", "#e59a4c", "#c2d04f", "#4cc0ca", "#c0c8d0"};
constexpr const char* kDarkGridStyle = R"(.marked{fill:#5a4a10;stroke:#b4a060}
.off{fill:#5d6975}
)";
constexpr const char* kDarkLinkStyle = R"(.irs{fill:#1a2028;stroke:#6d7a87}
.stage{fill:#11161c;stroke:#6ea0d0}
text.stage{fill:#6ea0d0}
)";
constexpr const char* kGridStyle = R"(.marked{fill:#ffe9a8;stroke:#666}
.off{fill:#aaa}
)";
constexpr const char* kLinkStyle = R"(.irs{fill:#fbfbf4;stroke:#999}
.stage{fill:#fff;stroke:#1b5e9e}
text.stage{fill:#1b5e9e;stroke:none;font-weight:bold}
)";

/// The class of everything that belongs to links of this depth.
std::string depth_class(unsigned depth) {
  return fmt::format("depth{}", depth % kDepthColours.size());
}

std::string depth_style(const std::array<const char*, 8>& colours) {
  std::string style;
  for (unsigned depth = 0; depth < colours.size(); ++depth) {
    style += fmt::format(
        ".depth{0}{{fill:none;stroke:{1};stroke-width:2}}\n"
        "path.head.depth{0}{{fill:{1};stroke:none}}\n"
        "text.depth{0}{{fill:{1};stroke:none;font-weight:bold}}\n",
        depth, colours.at(depth));
  }
  return style;
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

PointPx on_arc(double along, double across, bool along_x) {
  return along_x ? PointPx{along, across} : PointPx{across, along};
}

std::string arc_path(const Arc& arc, bool along_x) {
  const PointPx from = on_arc(arc.from, arc.base, along_x);
  const PointPx control1 = on_arc(arc.from, arc.base + arc.bulge, along_x);
  const PointPx control2 = on_arc(arc.to, arc.base + arc.bulge, along_x);
  const PointPx to = on_arc(arc.to, arc.base, along_x);
  return fmt::format("M{:g} {:g}C{:g} {:g} {:g} {:g} {:g} {:g}", from.x, from.y, control1.x,
                     control1.y, control2.x, control2.y, to.x, to.y);
}

void draw_link(Figure& figure, const MazeLinks& links, const MazeLink& link) {
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
  const std::string depth = depth_class(link.depth);
  figure.canvas().path(arc_path(arc, along_x), {depth});
  figure.head(on_arc(arc.to, arc.base, along_x), on_arc(arc.to, arc.base + arc.bulge, along_x),
              depth);
  const std::string label = fmt::format("{}:{}", links.port_name(link.from.port), link.depth);
  if (along_x) {
    figure.text(arc.to, line - side * (kHalf + (side < 0 ? 13 : 5)), label, depth,
                TextAnchor::Middle);
  } else {
    figure.text(line - side * (kHalf + 5), arc.to + 4, label, depth,
                side < 0 ? TextAnchor::Start : TextAnchor::End);
  }
}

void draw_nodes(Figure& figure, const MazeLinks& links, unsigned marked) {
  for (unsigned node = 0; node < links.nodes(); ++node) {
    const double x = at_x(links.x_of(node));
    const double y = at_y(links.y_of(node));
    const bool reached =
        links.x_of(node) == links.x_of(marked) || links.y_of(node) == links.y_of(marked);
    figure.canvas().rect(x - kHalf, y - kHalf, 2 * kHalf, 2 * kHalf,
                         {node == marked ? "marked"
                          : reached      ? "box"
                                         : "faint"},
                         4);
    figure.text(x, y + 5, fmt::format("{}", node),
                node == marked ? "strong"
                : reached      ? ""
                               : "off",
                TextAnchor::Middle);
  }
  for (unsigned x = 0; x < links.nx(); ++x) {
    figure.text(at_x(x), kTop - 60, fmt::format("x={}", x), "note", TextAnchor::Middle);
  }
  for (unsigned y = 0; y < links.ny(); ++y) {
    figure.text(kLeft - 52, at_y(y) + 4, fmt::format("y={}", y), "note", TextAnchor::Middle);
  }
}

}  // namespace

std::string block_diagram(const MazeLinks& links, unsigned node) {
  const double bottom = at_y(links.ny() - 1) + 60;
  const std::string title =
      fmt::format("{}x{} MAZE Topo: the {} links that leave node {} {}", links.nx(), links.ny(),
                  links.ports(), node, links.coordinates(node));
  Figure figure(at_x(links.nx() - 1) + 110, bottom + 56, title,
                kGridStyle + depth_style(kDepthColours),
                kDarkGridStyle + depth_style(kDarkDepthColours));
  figure.text(20, 48,
              fmt::format("All nodes have the same: {} directed links, {} IRS stages, {} links are "
                          "plain wires. A label is port:depth.",
                          links.links().size(), links.total_stages(), links.wires()),
              "note");
  draw_nodes(figure, links, node);
  unsigned deepest = 0;
  for (unsigned port = 0; port < links.ports(); ++port) {
    draw_link(figure, links, links.leaving(node, port));
    deepest = std::max(deepest, links.leaving(node, port).depth);
  }
  for (unsigned depth = 0; depth <= deepest; ++depth) {
    const double x = kLeft + 150.0 * depth;
    figure.canvas().line(x, bottom + 20, x + 34, bottom + 20, {depth_class(depth)});
    figure.text(x + 42, bottom + 24, depth == 0 ? "wire" : fmt::format("{} x IRS_LP", depth), "");
  }
  return std::move(figure).finish();
}

std::string link_diagram(unsigned depth) {
  const std::string title = fmt::format("Signal flow of a link with {} stages", depth);
  const double stage = 120;
  const double irs_x = 200;
  const double irs_w = stage * depth + 30;
  const double right = irs_x + irs_w + 80;
  Figure figure(right + 140, 230, title, kLinkStyle, kDarkLinkStyle);
  plot::SvgCanvas& canvas = figure.canvas();
  const auto node = [&](double x, const char* name, const char* port) {
    canvas.rect(x, 70, 110, 120, {"box"}, 4);
    figure.text(x + 55, 122, name, "strong", TextAnchor::Middle);
    figure.text(x + 55, 142, port, "note", TextAnchor::Middle);
  };
  const auto wires = [&](double from, double to) {
    figure.arrow({{from, 105}, {to, 105}}, "wire");
    canvas.line(from, 130, to, 130, {"bus"});
    figure.arrow({{to, 155}, {from, 155}}, "wire");
  };
  node(20, "sender", "xo_*[i]");
  node(right, "receiver", "xi_*[i]");
  canvas.rect(irs_x, 52, irs_w, 156, {"irs"}, 6);
  figure.text(irs_x + 10, 70, fmt::format("IRS_N, IRS_DEEP={}", depth), "note");
  wires(130, depth == 0 ? right : irs_x + 25);
  for (unsigned i = 0; i < depth; ++i) {
    const double x = irs_x + 25 + stage * i;
    canvas.rect(x, 80, 84, 100, {"stage"}, 4);
    figure.text(x + 42, 126, "IRS_LP", "stage", TextAnchor::Middle);
    figure.text(x + 42, 144, "holds 2", "small", TextAnchor::Middle);
    wires(x + 84, i + 1 == depth ? right : x + stage);
  }
  figure.text(165, 98, "valid", "small", TextAnchor::Middle);
  figure.text(165, 123, "packet", "small", TextAnchor::Middle);
  figure.text(165, 171, "ready", "small", TextAnchor::Middle);
  return std::move(figure).finish();
}

}  // namespace kernbench::docs

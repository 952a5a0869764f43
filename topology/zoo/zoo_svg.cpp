// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/zoo_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "plot/path_data.hpp"
#include "plot/style.hpp"
#include "plot/svg_canvas.hpp"
#include "plot/text_width.hpp"
#include "topology/zoo/layout/free_space.hpp"
#include "topology/zoo/layout/place_ports.hpp"
#include "topology/zoo/layout/transform.hpp"

namespace kernbench::topology::zoo {
namespace {

constexpr double kPixels = 96;  // px per unit of the plot
constexpr double kMargin = 36;
constexpr double kTitleLine = 22;
constexpr std::size_t kTitleWidth = 80;  // characters
constexpr double kLegendHeight = 30;
constexpr double kLegendWidth = 420;
constexpr double kRolesWidth = 240;         // width of the legend of node roles
constexpr double kHead = 9;                 // length of an arrow's head
constexpr std::size_t kManyChannels = 300;  // more channels than this are drawn as finer lines
constexpr std::size_t kShownName = 5;       // longest name in a node, in bytes
constexpr double kRadius = kNodeRadius * kPixels;

constexpr std::string_view kStyle =
    ".channel { stroke: var(--soft); stroke-width: 1.5; fill: none; }\n"
    ".fine { stroke: var(--soft); stroke-width: 0.7; fill: none; }\n"
    ".head { fill: var(--soft); stroke: none; }\n"
    ".router { fill: #c8e6c0; stroke: #38761d; stroke-width: 1.5; }\n"
    ".child { fill: #c9daf8; stroke: #1c4587; stroke-width: 1.5; }\n"
    ".terminal { fill: #e1cdf0; stroke: #674ea7; stroke-width: 1.5; }\n"
    "text.small { font-size: 9px; }\n"
    ".ingress { stroke: #0b8043; stroke-width: 1.5; fill: none; }\n"
    ".ingress-head { fill: #0b8043; stroke: none; }\n"
    ".egress { stroke: #d2601a; stroke-width: 1.5; fill: none; }\n"
    ".egress-head { fill: #d2601a; stroke: none; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    ".router { fill: #1f3d1c; stroke: #7fc46f; }\n"
    ".child { fill: #1d2f52; stroke: #8fb0e6; }\n"
    ".terminal { fill: #38284f; stroke: #b79ee6; }\n"
    ".ingress { stroke: #4cc27a; }\n"
    ".ingress-head { fill: #4cc27a; }\n"
    ".egress { stroke: #f0904a; }\n"
    ".egress-head { fill: #f0904a; }\n"
    "}\n";

std::string_view class_of(NodeRole role) {
  switch (role) {
    case NodeRole::Router:
      return "router";
    case NodeRole::Child:
      return "child";
    case NodeRole::Terminal:
      return "terminal";
  }
  throw std::logic_error("a node without a role");
}

/// Breaks a long title into lines: between children if possible, else between arguments.
std::vector<std::string> title_lines(std::string_view title) {
  std::vector<std::string> lines;
  while (title.size() > kTitleWidth) {
    const std::size_t child = title.rfind("),(", kTitleWidth - 2);
    const std::size_t comma = title.rfind(',', kTitleWidth - 1);
    std::size_t end = kTitleWidth;
    if (child != std::string_view::npos) {
      end = child + 2;
    } else if (comma != std::string_view::npos) {
      end = comma + 1;
    }
    lines.emplace_back(title.substr(0, end));
    title.remove_prefix(end);
  }
  lines.emplace_back(title);
  return lines;
}

plot::PointPx px(Point point) {
  return {point.x, point.y};
}

/// Draws the arrow of a node's ingress or egress.
void port_arrow(plot::SvgCanvas& canvas, Point from, Point to, const std::string& css,
                std::string_view tooltip) {
  const Point back = to - direction(to - from) * kHead;
  canvas.line(from.x, from.y, back.x, back.y, {.css_class = css, .tooltip = tooltip});
  canvas.path(plot::arrow_head(px(to), px(from), kHead), {.css_class = css + "-head"});
}

/// The place of the plot on the page.
struct Page {
  Point least;   ///< upper left corner of the plot, in its own units
  Point corner;  ///< the same corner on the page, in px
  double width = 0;
  double height = 0;

  [[nodiscard]] Point at(Point place) const { return (place - least) * kPixels + corner; }
};

Page page_for(const Plot& plot, const std::vector<std::string>& title, double legend_width) {
  double longest_line = 0;
  for (const std::string& line : title) {
    longest_line = std::max(longest_line, plot::text_width(line, plot::kTitlePx));
  }
  Box box = bounds(plot);
  for (const PlotNode& node : plot.nodes) {
    for (const Point& port : {node.ingress, node.egress}) {
      box.least = {std::min(box.least.x, port.x), std::min(box.least.y, port.y)};
      box.most = {std::max(box.most.x, port.x), std::max(box.most.y, port.y)};
    }
  }
  const Point size = (box.most - box.least) * kPixels;
  const double header = kTitleLine * static_cast<double>(title.size() + 1);
  Page page{.least = box.least, .corner = {}, .width = 0, .height = 0};
  page.width = std::max({size.x + 2 * kMargin, longest_line + 40, legend_width});
  page.corner = {0.5 * (page.width - size.x), header + kMargin};
  page.height = page.corner.y + size.y + kMargin + kLegendHeight;
  return page;
}

void draw_channel(plot::SvgCanvas& canvas, const Page& page, const Plot& plot,
                  const BaseTopology& topology, const Channel& channel, bool both_ways,
                  std::string_view css) {
  const Point from = page.at(plot.nodes[channel.src].at);
  const Point to = page.at(plot.nodes[channel.dst].at);
  const auto bent = plot.bends.find(channel);
  const Point control = bent == plot.bends.end() ? (from + to) * 0.5 : page.at(bent->second);
  const Point arrival = direction(to - control);
  const Point tip = to - arrival * kRadius;
  const Point end = both_ways ? tip : tip - arrival * kHead;
  const Point start = from + direction(control - from) * kRadius;
  const auto name_of = [both_ways](const auto& src, const auto& dst) {
    return fmt::format("{}{}{}", src, both_ways ? "<->" : "->", dst);
  };
  const std::string name =
      name_of(topology.node_name(channel.src), topology.node_name(channel.dst));
  const std::string id = name_of(channel.src, channel.dst);
  const plot::SvgStyle style{.css_class = css, .tooltip = name, .id = id};
  if (bent == plot.bends.end()) {
    canvas.line(start.x, start.y, end.x, end.y, style);
  } else {
    canvas.path(
        fmt::format("M{} {} Q{} {} {} {}", plot::svg_number(start.x), plot::svg_number(start.y),
                    plot::svg_number(control.x), plot::svg_number(control.y),
                    plot::svg_number(end.x), plot::svg_number(end.y)),
        style);
  }
  if (!both_ways) canvas.path(plot::arrow_head(px(tip), px(end), kHead), {.css_class = "head"});
}

void draw_node(plot::SvgCanvas& canvas, const Page& page, const PlotNode& node,
               const BaseTopology& topology, std::uint32_t number) {
  const Point at = page.at(node.at);
  const std::string name = topology.node_name(number);
  const bool fits = name.size() <= kShownName;  // else the number; the name is the tooltip
  const std::string text = fits ? name : fmt::format("{}", number);
  if (node.has_ingress) {
    const Point tail = page.at(node.ingress);
    port_arrow(canvas, tail, at + direction(tail - at) * (kRadius + 1), "ingress",
               fmt::format("ingress of node {}", name));
  }
  if (node.has_egress) {
    const Point tip = page.at(node.egress);
    port_arrow(canvas, at + direction(tip - at) * kRadius, tip, "egress",
               fmt::format("egress of node {}", name));
  }
  const std::string id = fmt::format("node{}", number);
  canvas.circle(at.x, at.y, kRadius,
                {.css_class = class_of(node.role), .tooltip = fits ? "" : name, .id = id});
  canvas.text(at.x, at.y + 4, text, {.css_class = text.size() > 3 ? "small" : "number"});
}

/// Explains signs from left to right.
class Legend {
 public:
  Legend(plot::SvgCanvas& canvas, double y) : canvas_(canvas), y_(y) {}

  void role(NodeRole role, std::string_view text) {
    canvas_.circle(x_ + 8, y_, 8, {.css_class = class_of(role)});
    finish(22, text);
  }
  void channel(bool both_ways, std::string_view text) {
    const double end = both_ways ? x_ + 30 : x_ + 30 - kHead;
    canvas_.line(x_, y_, end, y_, {.css_class = "channel"});
    if (!both_ways) {
      canvas_.path(plot::arrow_head({x_ + 30, y_}, {x_, y_}, kHead), {.css_class = "head"});
    }
    finish(36, text);
  }
  void port(const std::string& css) {
    port_arrow(canvas_, {x_, y_}, {x_ + 22, y_}, css, {});
    finish(28, css);
  }

 private:
  void finish(double sign_width, std::string_view text) {
    canvas_.text(x_ + sign_width, y_ + 4, text, {.css_class = "soft"}, plot::TextAnchor::Start);
    x_ += sign_width + plot::text_width(text, plot::kTextPx) + 12;
  }

  plot::SvgCanvas& canvas_;
  double x_ = 20;
  double y_;
};

bool has_role(const Plot& plot, NodeRole role) {
  return std::any_of(plot.nodes.begin(), plot.nodes.end(),
                     [role](const PlotNode& node) { return node.role == role; });
}

}  // namespace

std::string render_zoo_svg(const BaseTopology& topology) {
  if (topology.n_nodes() > kMaxDrawnNodes) {
    throw std::invalid_argument(fmt::format("{} has {} nodes; at most {} are drawn",
                                            topology.name(), topology.n_nodes(), kMaxDrawnNodes));
  }
  const Plot plot = topology.plotter();
  const std::vector<std::string> title = title_lines(topology.name());
  const bool several = has_role(plot, NodeRole::Child) || has_role(plot, NodeRole::Terminal);
  const Page page = page_for(plot, title, kLegendWidth + (several ? kRolesWidth : 0));

  plot::SvgCanvas canvas(page.width, page.height, topology.name(),
                         fmt::format("{}{}", plot::base_style(), kStyle));
  double y = 10;
  for (const std::string& line : title) {
    y += kTitleLine;
    canvas.text(20, y, line, {.css_class = "title"}, plot::TextAnchor::Start);
  }
  canvas.text(20, y + kTitleLine,
              fmt::format("{} nodes, {} channels", topology.n_nodes(), topology.channels().size()),
              {.css_class = "soft"}, plot::TextAnchor::Start);

  const std::string_view css = topology.channels().size() > kManyChannels ? "fine" : "channel";
  bool one_way = false;
  bool two_way = false;
  for (const Channel& channel : topology.channels()) {
    const bool both_ways = topology.connects(channel.dst, channel.src);
    if (both_ways && channel.src > channel.dst) continue;
    (both_ways ? two_way : one_way) = true;
    draw_channel(canvas, page, plot, topology, channel, both_ways, css);
  }
  for (std::uint32_t node = 0; node < topology.n_nodes(); ++node) {
    draw_node(canvas, page, plot.nodes[node], topology, node);
  }

  Legend legend(canvas, page.height - 20);
  if (has_role(plot, NodeRole::Terminal)) legend.role(NodeRole::Terminal, "terminal");
  if (several && has_role(plot, NodeRole::Router)) legend.role(NodeRole::Router, "base");
  if (has_role(plot, NodeRole::Child)) legend.role(NodeRole::Child, "child");
  if (two_way) legend.channel(true, "both ways");
  if (one_way) legend.channel(false, "one way");
  legend.port("ingress");
  legend.port("egress");
  return std::move(canvas).finish();
}

}  // namespace kernbench::topology::zoo

// SPDX-License-Identifier: Apache-2.0
#include "topology/diagram/view_renderer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "plot/path_data.hpp"
#include "plot/style.hpp"
#include "plot/svg_canvas.hpp"
#include "plot/text_width.hpp"
#include "topology/diagram/edge_routes.hpp"
#include "topology/diagram/legend.hpp"
#include "topology/diagram/view_placement.hpp"
#include "topology/diagram/view_scale.hpp"
#include "topology/diagram/view_style.hpp"

namespace kernbench::topology {

namespace {

constexpr double kMargin = 24;
constexpr double kTitleRoom = 30;
constexpr double kScaleBarRoom = 26;
constexpr double kLegendGap = 32;
constexpr double kAnchorRadius = 2.4;
constexpr double kMazeRadius = 4;
constexpr double kArrowPx = 8;

void move(plot::PointPx& p, plot::PointPx by) {
  p.x += by.x;
  p.y += by.y;
}

class Renderer {
 public:
  explicit Renderer(const View& view) : view_(view), crowded_(is_crowded(view)), legend_(view) {
    const std::vector<plot::SizePx> sizes = compute_node_sizes(view_, crowded_);
    scale_ = pick_scale(view_, sizes);
    nodes_ = place_nodes(view_, sizes, scale_);
    plot::BoxPx extent = extent_of(view_, nodes_, scale_);
    for (const EdgeRoute& route : route_edges(view_, nodes_, extent)) {
      for (const plot::PointPx p : route.points) extent = united(extent, {p.x, p.y, 0, 0});
    }
    drawing_ = {kMargin, kMargin + kTitleRoom, extent.w, extent.h};
    origin_ = {drawing_.x - extent.x, drawing_.y - extent.y};
    for (PlacedNode& node : nodes_) {
      move(node.anchor, origin_);
      move(node.label, origin_);
      node.box.x += origin_.x;
      node.box.y += origin_.y;
    }
  }

  std::string render() {
    const plot::SizePx size = document_size();
    plot::SvgCanvas canvas(size.w, size.h, view_.title, view_style_sheet());
    canvas.text(kMargin, kMargin + plot::kTitlePx * 0.8, view_.title, {"title"},
                plot::TextAnchor::Start);
    draw_frame(canvas);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (is_area(view_.nodes[i])) draw_area(canvas, i);
    }
    draw_edges(canvas);
    for (std::size_t i = 0; i < nodes_.size(); ++i) draw_leader(canvas, i);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!is_area(view_.nodes[i])) draw_node(canvas, i);
    }
    // Labels of areas are drawn over the lines that cross them.
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (is_area(view_.nodes[i])) draw_area_label(canvas, i);
    }
    draw_scale_bar(canvas, {drawing_.x, drawing_.bottom() + kScaleBarRoom - 6}, scale_, drawing_.w);
    legend_.draw(canvas, {drawing_.right() + kLegendGap, drawing_.y});
    return std::move(canvas).finish();
  }

 private:
  [[nodiscard]] plot::SizePx document_size() const {
    const plot::SizePx legend = legend_.size();
    const plot::SizePx bar = scale_bar_size(scale_, drawing_.w);
    const double w = std::max({drawing_.right() + kLegendGap + legend.w, drawing_.x + bar.w,
                               kMargin + plot::text_width(view_.title, plot::kTitlePx)});
    const double h = std::max(drawing_.bottom() + kScaleBarRoom, drawing_.y + legend.h);
    return {std::ceil(w + kMargin), std::ceil(h + kMargin)};
  }

  /// Draws the outline of the die if the view shows the inside of one.
  void draw_frame(plot::SvgCanvas& canvas) const {
    if (view_.level != ViewLevel::Cube && view_.level != ViewLevel::Pe) return;
    canvas.rect(origin_.x, origin_.y, view_.w_mm * scale_, view_.h_mm * scale_, {"frame"}, 4);
  }

  void draw_area(plot::SvgCanvas& canvas, std::size_t i) const {
    const std::string css = css_class(view_.nodes[i]);
    canvas.begin_group({css, tooltip(view_.nodes[i]), view_.nodes[i].id});
    draw_box(canvas, i, css);
    canvas.end_group();
  }

  void draw_area_label(plot::SvgCanvas& canvas, std::size_t i) const {
    const PlacedNode& placed = nodes_[i];
    const bool in_maze = view_.nodes[i].shape == ViewShape::CubeBlock && has_maze_links(view_);
    if (in_maze) canvas.circle(placed.anchor.x, placed.anchor.y, kMazeRadius, {"maze"});
    double baseline = placed.label.y + kBlockPx * 0.36;
    canvas.text(placed.label.x, baseline, view_.nodes[i].label, {"block"});
    for (const std::string& line : placed.details) {
      baseline += kDetailRowPx;
      canvas.text(placed.label.x, baseline, line, {"soft"});
    }
  }

  void draw_node(plot::SvgCanvas& canvas, std::size_t i) const {
    const PlacedNode& placed = nodes_[i];
    const std::string css = css_class(view_.nodes[i]);
    canvas.begin_group({css, tooltip(view_.nodes[i]), view_.nodes[i].id});
    draw_box(canvas, i, {});
    const double font = label_font(view_.nodes[i], crowded_);
    const std::string_view text_class = font == kBlockPx   ? "block"
                                        : font == kSmallPx ? "small"
                                                           : "";
    canvas.text(placed.label.x, placed.label.y + font * 0.36, view_.nodes[i].label, {text_class});
    if (placed.displaced) {
      // Inside a box the anchor would hide the label; its leader shows where it belongs.
      const double radius = is_covered(placed.anchor) ? 0 : kAnchorRadius;
      canvas.circle(placed.anchor.x, placed.anchor.y, radius, {"anchor"});
    }
    canvas.end_group();
  }

  void draw_box(plot::SvgCanvas& canvas, std::size_t i, std::string_view css) const {
    const plot::BoxPx& box = nodes_[i].box;
    canvas.rect(box.x, box.y, box.w, box.h, {css}, 3);
  }

  /// Returns true if a small box covers this point.
  [[nodiscard]] bool is_covered(plot::PointPx p) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!is_area(view_.nodes[i]) && nodes_[i].box.contains(p)) return true;
    }
    return false;
  }

  void draw_leader(plot::SvgCanvas& canvas, std::size_t i) const {
    const PlacedNode& placed = nodes_[i];
    if (!placed.displaced || placed.box.contains(placed.anchor) || is_joined_to_anchor(i)) return;
    const plot::PointPx end = leave(placed.box, placed.box.center(), placed.anchor);
    canvas.line(placed.anchor.x, placed.anchor.y, end.x, end.y, {"leader"});
  }

  /// Returns true if an edge joins the displaced box to the box at its anchor.
  [[nodiscard]] bool is_joined_to_anchor(std::size_t i) const {
    return std::any_of(view_.edges.begin(), view_.edges.end(), [&](const ViewEdge& edge) {
      const std::size_t other = edge.from == i ? edge.to : edge.from;
      return (edge.from == i || edge.to == i) && !is_area(view_.nodes[other]) &&
             nodes_[other].box.contains(nodes_[i].anchor);
    });
  }

  void draw_edges(plot::SvgCanvas& canvas) const {
    const std::vector<EdgeRoute> routes = route_edges(view_, nodes_, drawing_);
    for (std::size_t i = 0; i < routes.size(); ++i) {
      const ViewEdge& edge = view_.edges[i];
      canvas.begin_group({"link", tooltip(view_, edge)});
      canvas.path(routes[i].d, {css_class(edge)});
      if (!edge.both_ways) {
        const std::vector<plot::PointPx>& points = routes[i].points;
        canvas.path(plot::arrow_head(points.back(), points[points.size() - 2], kArrowPx),
                    {"arrow"});
      }
      canvas.end_group();
    }
  }

  const View& view_;
  bool crowded_;
  Legend legend_;
  double scale_ = 1;
  plot::PointPx origin_;  ///< place of (0, 0) mm
  plot::BoxPx drawing_;   ///< everything but title, scale bar and legend
  std::vector<PlacedNode> nodes_;
};

}  // namespace

std::string render_view_svg(const View& view) {
  return Renderer(view).render();
}

}  // namespace kernbench::topology

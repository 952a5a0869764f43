// SPDX-License-Identifier: Apache-2.0
#include "topology/diagram/view_placement.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "plot/text_width.hpp"
#include "topology/diagram/view_scale.hpp"
#include "topology/diagram/view_style.hpp"

namespace kernbench::topology {

namespace {

constexpr int kStepPx = 4;          // step of the search for a free spot
constexpr int kReachPx = 400;       // reach of the search
constexpr double kLinkGapPx = 8;    // gap between a displaced box and others
constexpr double kLineCost = 90;    // cost of a line under a box, in px of distance
constexpr double kLeaderCost = 60;  // cost of a box under a leader
constexpr double kOutsideCost = 5;  // cost of a px outside the outline of an IO chiplet
constexpr double kRimCost = 1;      // cost of a px outside the router grid
constexpr double kPull = 0.3;       // cost of a px of distance to linked nodes

struct Segment {
  plot::PointPx a;
  plot::PointPx b;
};

/// Returns the offsets of the search, nearest first; at equal distance those below and to the right
/// come first, so that similar nodes move the same way.
const std::vector<plot::PointPx>& search_offsets() {
  static const std::vector<plot::PointPx> kOffsets = [] {
    std::vector<plot::PointPx> offsets;
    for (int y = -kReachPx; y <= kReachPx; y += kStepPx) {
      for (int x = -kReachPx; x <= kReachPx; x += kStepPx) {
        offsets.push_back({static_cast<double>(x), static_cast<double>(y)});
      }
    }
    std::sort(offsets.begin(), offsets.end(), [](plot::PointPx a, plot::PointPx b) {
      return std::tuple(a.x * a.x + a.y * a.y, -a.y, -a.x) <
             std::tuple(b.x * b.x + b.y * b.y, -b.y, -b.x);
    });
    return offsets;
  }();
  return kOffsets;
}

class Placer {
 public:
  Placer(const View& view, const std::vector<plot::SizePx>& sizes, double px_per_mm)
      : view_(view), sizes_(sizes), scale_(px_per_mm), placed_(view.nodes.size()) {
    for (const ViewNode& node : view.nodes) {
      nodes_.push_back({{node.center.x * scale_, node.center.y * scale_}, {}, false, {}, {}});
    }
    neighbours_.resize(view.nodes.size());
    for (const ViewEdge& edge : view.edges) {
      neighbours_[edge.from].push_back(edge.to);
      neighbours_[edge.to].push_back(edge.from);
    }
  }

  std::vector<PlacedNode> place() {
    place_areas();
    place_at_anchors(true);
    collect_mesh_lines();
    place_at_anchors(false);
    place_area_labels();
    // Nodes whose place is free except for a line come first: they stay nearest to it.
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!placed_[i] && !is_taken(nodes_[i].anchor)) place_beside(i);
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!placed_[i]) place_beside(i);
    }
    return std::move(nodes_);
  }

 private:
  void place_areas() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const ViewNode& node = view_.nodes[i];
      if (!is_area(node)) continue;
      nodes_[i].box = plot::box_around(nodes_[i].anchor, {node.w_mm * scale_, node.h_mm * scale_});
      placed_[i] = true;
    }
  }

  void place_at_anchors(bool routers) {
    for (const std::size_t i : best_joined_first()) {
      const ViewNode& node = view_.nodes[i];
      const bool is_router = node.shape == ViewShape::Node && node.kind == NodeKind::Router;
      if (placed_[i] || is_router != routers) continue;
      const plot::BoxPx box = plot::box_around(nodes_[i].anchor, sizes_[i]);
      if (!is_free(box) || lines_under(box) != 0 || outside_px(i, box) > 0) continue;
      put(i, box);
    }
  }

  /// Returns how far a box sticks out of the outline of the IO chiplet that holds its anchor.
  [[nodiscard]] double outside_px(std::size_t i, const plot::BoxPx& box) const {
    for (std::size_t j = 0; j < nodes_.size(); ++j) {
      const plot::BoxPx& area = nodes_[j].box;
      if (view_.nodes[j].shape != ViewShape::IoBlock || !is_area(view_.nodes[j])) continue;
      if (!area.contains(nodes_[i].anchor)) continue;
      return excess_px(area, box);
    }
    return 0;
  }

  /// Returns how far `box` sticks out of `area`.
  static double excess_px(const plot::BoxPx& area, const plot::BoxPx& box) {
    const plot::BoxPx both = united(area, box);
    return both.w - area.w + both.h - area.h;
  }

  /// Sorts hubs first: moving a hub bends most lines.
  [[nodiscard]] std::vector<std::size_t> best_joined_first() const {
    std::vector<std::size_t> order(nodes_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return neighbours_[a].size() > neighbours_[b].size();
    });
    return order;
  }

  [[nodiscard]] std::ptrdiff_t lines_under(const plot::BoxPx& box) const {
    return std::count_if(mesh_lines_.begin(), mesh_lines_.end(),
                         [&](const Segment& line) { return crosses(line.a, line.b, box); });
  }

  void put(std::size_t i, const plot::BoxPx& box) {
    nodes_[i].box = box;
    nodes_[i].label = box.center();
    placed_[i] = true;
    taken_.push_back(box);
  }

  [[nodiscard]] bool is_free(const plot::BoxPx& box, double gap = kBoxGapPx - 1) const {
    const plot::BoxPx wide = grown(box, gap);
    return std::none_of(taken_.begin(), taken_.end(),
                        [&](const plot::BoxPx& other) { return overlap(wide, other); });
  }

  [[nodiscard]] bool is_taken(plot::PointPx p) const {
    return std::any_of(taken_.begin(), taken_.end(),
                       [&](const plot::BoxPx& other) { return other.contains(p); });
  }

  void place_area_labels() {
    const bool maze = has_maze_links(view_);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const ViewNode& node = view_.nodes[i];
      if (!is_area(node)) continue;
      const plot::BoxPx& area = nodes_[i].box;
      const bool in_maze = maze && node.shape == ViewShape::CubeBlock;
      plot::SizePx size = sizes_[i];
      if (!in_maze) {
        nodes_[i].details = detail_lines(node, area.w, area.h);
        for (const std::string& line : nodes_[i].details) {
          size.w = std::max(size.w, plot::text_width(line, kLabelPx));
          size.h += kDetailRowPx;
        }
      }
      const plot::BoxPx label = in_maze ? lower_right_of(area, size) : free_label(node, area, size);
      nodes_[i].label = {label.center().x, label.y + sizes_[i].h / 2};
      taken_.push_back(label);
    }
  }

  static plot::BoxPx lower_right_of(const plot::BoxPx& area, plot::SizePx size) {
    return plot::box_around({area.x + area.w * 0.75, area.y + area.h * 0.75}, size);
  }

  /// Places an area's label in the middle (of an outline: in a corner), or at any free spot.
  [[nodiscard]] plot::BoxPx free_label(const ViewNode& node, const plot::BoxPx& area,
                                       plot::SizePx size) const {
    const double left = area.x + size.w / 2 + 3;
    const double right = area.right() - size.w / 2 - 3;
    const double top = area.y + size.h / 2 + 3;
    const double bottom = area.bottom() - size.h / 2 - 3;
    const plot::PointPx center = area.center();
    const plot::PointPx corner{left, top};
    const std::array<plot::PointPx, 7> spots = {node.shape == ViewShape::IoBlock ? corner : center,
                                                corner,
                                                plot::PointPx{center.x, top},
                                                plot::PointPx{right, top},
                                                plot::PointPx{left, bottom},
                                                plot::PointPx{center.x, bottom},
                                                plot::PointPx{right, bottom}};
    for (const plot::PointPx spot : spots) {
      if (is_free(plot::box_around(spot, size))) return plot::box_around(spot, size);
    }
    for (const plot::PointPx offset : search_offsets()) {
      const plot::BoxPx box = plot::box_around({left + offset.x, top + offset.y}, size);
      if (is_free(box)) return box;
    }
    return below_everything(corner, size);
  }

  void collect_mesh_lines() {
    for (const ViewEdge& edge : view_.edges) {
      if (edge.kind != EdgeKind::RouterMesh || !placed_[edge.from] || !placed_[edge.to]) continue;
      const plot::PointPx a = nodes_[edge.from].anchor;
      const plot::PointPx b = nodes_[edge.to].anchor;
      if (mesh_lines_.empty()) grid_ = {a.x, a.y, 0, 0};
      grid_ = united(united(grid_, {a.x, a.y, 0, 0}), {b.x, b.y, 0, 0});
      mesh_lines_.push_back({a, b});
    }
  }

  void place_beside(std::size_t i) {
    // A line to the box at the anchor needs some length to be visible.
    const double gap = is_taken(nodes_[i].anchor) ? kLinkGapPx : kBoxGapPx - 1;
    const plot::PointPx anchor = nodes_[i].anchor;
    double best_cost = std::numeric_limits<double>::infinity();
    plot::BoxPx best;
    for (const plot::PointPx offset : search_offsets()) {
      const plot::PointPx spot{anchor.x + offset.x, anchor.y + offset.y};
      const double away = distance(anchor, spot);
      if (away >= best_cost) break;  // the following offsets are farther
      const plot::BoxPx box = plot::box_around(spot, sizes_[i]);
      if (!is_free(box, gap)) continue;
      const double cost = away + cost_at(i, box);
      if (cost < best_cost) {
        best_cost = cost;
        best = box;
      }
    }
    if (best.w == 0) best = below_everything(anchor, sizes_[i]);
    put(i, best);
    nodes_[i].displaced = true;
  }

  /// Returns a box below all others, where there is always room.
  [[nodiscard]] plot::BoxPx below_everything(plot::PointPx near, plot::SizePx size) const {
    double bottom = near.y;
    for (const plot::BoxPx& other : taken_) bottom = std::max(bottom, other.bottom());
    return plot::box_around({near.x, bottom + kBoxGapPx + size.h / 2}, size);
  }

  /// Returns the cost of a free spot besides its distance from the anchor.
  [[nodiscard]] double cost_at(std::size_t i, const plot::BoxPx& box) const {
    double cost =
        kLineCost * static_cast<double>(lines_under(box)) + kOutsideCost * outside_px(i, box);
    if (!mesh_lines_.empty()) cost += kRimCost * excess_px(grid_, box);
    for (const plot::BoxPx& other : taken_) {
      if (!other.contains(nodes_[i].anchor) && crosses(nodes_[i].anchor, box.center(), other)) {
        cost += kLeaderCost;
      }
    }
    for (const std::size_t neighbour : neighbours_[i]) {
      if (!placed_[neighbour]) continue;
      cost += kPull * distance(nodes_[neighbour].box.center(), box.center()) /
              static_cast<double>(neighbours_[i].size());
    }
    return cost;
  }

  const View& view_;
  const std::vector<plot::SizePx>& sizes_;
  double scale_;
  std::vector<PlacedNode> nodes_;
  std::vector<bool> placed_;
  std::vector<plot::BoxPx> taken_;  ///< boxes and labels placed so far
  std::vector<Segment> mesh_lines_;
  plot::BoxPx grid_;  ///< extent of the router mesh
  std::vector<std::vector<std::size_t>> neighbours_;
};

}  // namespace

std::vector<PlacedNode> place_nodes(const View& view, const std::vector<plot::SizePx>& sizes,
                                    double px_per_mm) {
  return Placer(view, sizes, px_per_mm).place();
}

plot::BoxPx extent_of(const View& view, const std::vector<PlacedNode>& nodes, double px_per_mm) {
  plot::BoxPx extent{0, 0, view.w_mm * px_per_mm, view.h_mm * px_per_mm};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    extent = united(extent, nodes[i].box);
    extent = united(extent, {nodes[i].anchor.x, nodes[i].anchor.y, 0, 0});
    // The label of an area may lie outside its box.
    const plot::SizePx label{plot::text_width(view.nodes[i].label, kBlockPx), kBlockPx + 4};
    if (is_area(view.nodes[i])) extent = united(extent, plot::box_around(nodes[i].label, label));
  }
  return extent;
}

}  // namespace kernbench::topology

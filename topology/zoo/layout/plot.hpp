// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace kernbench::topology::zoo {

/// A one-way channel between two routers. Channels that join the same nodes are equal.
struct Channel {
  std::uint32_t src = 0;
  std::uint32_t dst = 0;
  std::optional<std::uint8_t> stages = {};  ///< register stages that its file gives it
  /// Returns these, or `otherwise` if the channel has none of its own.
  [[nodiscard]] constexpr std::uint32_t stages_or(std::uint32_t otherwise) const {
    return stages ? *stages : otherwise;
  }
  friend constexpr bool operator==(const Channel& a, const Channel& b) {
    return a.src == b.src && a.dst == b.dst;
  }
  friend constexpr bool operator<(const Channel& a, const Channel& b) {
    return a.src != b.src ? a.src < b.src : a.dst < b.dst;
  }
};

/// A point of a picture. The unit is the distance of adjacent nodes in a line; y grows downwards.
struct Point {
  double x = 0;
  double y = 0;
};

[[nodiscard]] constexpr Point operator+(Point a, Point b) {
  return {a.x + b.x, a.y + b.y};
}
[[nodiscard]] constexpr Point operator-(Point a, Point b) {
  return {a.x - b.x, a.y - b.y};
}
[[nodiscard]] constexpr Point operator*(Point a, double k) {
  return {a.x * k, a.y * k};
}

/// Role of a node, which decides its colour.
enum class NodeRole : std::uint8_t {
  Router,    ///< a node of the base topology
  Child,     ///< a node of a child topology
  Terminal,  ///< a place where packets enter and leave, attached to a router
};

struct PlotNode {
  Point at;
  Point ingress;  ///< tail of the arrow by which packets enter
  Point egress;   ///< head of the arrow by which packets leave
  bool has_ingress = true;
  bool has_egress = true;
  NodeRole role = NodeRole::Router;
  Point towards_ingress{0, -1};  ///< preferred direction of the ingress, of any length
  Point towards_egress{0, 1};
};

/// The picture of a topology.
struct Plot {
  std::vector<PlotNode> nodes;
  /// Control points of channels drawn as quadratic curves; all others are straight. Two nodes
  /// connected both ways share one line and one bend.
  std::map<Channel, Point> bends;
};

}  // namespace kernbench::topology::zoo

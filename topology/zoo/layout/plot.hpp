#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace kernbench::topology::zoo {

/// A one-way channel between two routers.
struct Channel {
  std::uint32_t src = 0;
  std::uint32_t dst = 0;
  friend constexpr bool operator==(const Channel&, const Channel&) = default;
  friend constexpr bool operator<(const Channel& a, const Channel& b) {
    return a.src != b.src ? a.src < b.src : a.dst < b.dst;
  }
};

/// A place in a picture. The unit is the distance of two neighbours in a line; y grows downwards.
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

/// What a node is for; it decides the colour.
enum class NodeRole : std::uint8_t {
  Router,    ///< of the base topology
  Child,     ///< of a child topology
  Terminal,  ///< where packets enter and leave, in front of a router
};

struct PlotNode {
  Point at;
  Point ingress;  ///< the tail of the arrow by which packets enter
  Point egress;   ///< the head of the arrow by which they leave
  bool has_ingress = true;
  bool has_egress = true;
  NodeRole role = NodeRole::Router;
  Point towards_ingress{0, -1};  ///< the direction in which the ingress is best, not of length 1
  Point towards_egress{0, 1};
};

/// The picture of a topology.
struct Plot {
  std::vector<PlotNode> nodes;
  /// Control points of the channels drawn as quadratic curves; the others are straight. Where two
  /// nodes are joined both ways, one line stands for both channels, with one bend in common.
  std::map<Channel, Point> bends;
};

}  // namespace kernbench::topology::zoo

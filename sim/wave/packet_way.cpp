// SPDX-License-Identifier: Apache-2.0
#include "sim/wave/packet_way.hpp"

#include "maze/node_route.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {
namespace {

/// Nodes on the longest way: one turn.
constexpr std::size_t kMostNodes = 3;

/// Searches the outputs of one node after the other.
class WaySearch {
 public:
  WaySearch(const maze::NetworkConfig& config, maze::Payload packet, unsigned to)
      : shape_(config.shape),
        route_(config),
        links_(shape_.nx, shape_.ny),
        packet_(route_.expands(packet) ? route_.aimed_at(to, packet) : packet),
        to_(to) {}

  std::vector<WayNode> from(unsigned source) {
    if (!reaches(source, shape_.ports())) way_.clear();
    return way_;
  }

 private:
  /// Adds the rest of the way of a packet at an input of a node. Returns false if there is none.
  bool reaches(unsigned node, unsigned input) {
    if (way_.size() == kMostNodes) return false;
    const std::uint32_t outputs =
        route_.outputs(maze::NodeRoute::arrival(shape_, input), node, packet_);
    for (unsigned port = 0; port <= shape_.ports(); ++port) {
      if ((outputs >> port & 1U) == 0) continue;
      way_.push_back({node, input, port});
      if (port == shape_.ports()) {
        if (node == to_) return true;
      } else {
        const topology::MazePort& next = links_.leaving(node, port).to;
        if (reaches(next.node, next.port)) return true;
      }
      way_.pop_back();
    }
    return false;
  }

  maze::Shape shape_;
  maze::NodeRoute route_;
  topology::MazeLinks links_;
  maze::Payload packet_;
  unsigned to_;
  std::vector<WayNode> way_;
};

}  // namespace

std::vector<WayNode> way_of(const maze::NetworkConfig& config, maze::Payload packet, unsigned to) {
  const maze::PacketLayout layout(config.shape);
  const unsigned source = layout.node(layout.src(packet));
  if (source >= config.shape.nodes() || layout.address(source) != layout.src(packet)) return {};
  return WaySearch(config, packet, to).from(source);
}

}  // namespace kernbench::sim

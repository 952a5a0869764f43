// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/base/tree.hpp"

#include <fmt/format.h>

namespace kernbench::topology::zoo {

BaseTopology::Definition BidirectionalTree::define(std::uint32_t height, std::uint32_t d_ary) {
  Definition tree{
      .name = fmt::format("BidirectionalTree({},{})", height, d_ary), .n_nodes = 0, .channels = {}};
  require_at_least(tree.name, "d_ary", d_ary, kMinTreeArity);
  std::uint64_t nodes = 1;
  std::uint64_t level = 1;
  for (std::uint32_t i = 0; i < height && nodes <= kMaxNodes; ++i) {
    level *= d_ary;
    nodes += level;
  }
  tree.n_nodes = checked_size(tree.name, nodes, 2 * (nodes - 1));
  for (std::uint32_t node = 1; node < tree.n_nodes; ++node) {
    const std::uint32_t parent = (node - 1) / d_ary;
    tree.channels.push_back({parent, node});
    tree.channels.push_back({node, parent});
  }
  return tree;
}

Plot BidirectionalTree::layout() const {
  Plot plot;
  plot.nodes.resize(n_nodes());
  // Level by level from the root; a parent is centred above the leaves of its subtree.
  double leaves_below = 1;  // leaves below each node of the level
  for (std::uint32_t i = 0; i < height_; ++i) leaves_below *= d_ary_;
  std::uint32_t first = 0;
  std::uint32_t width = 1;
  for (std::uint32_t level = 0; level <= height_; ++level) {
    for (std::uint32_t i = 0; i < width; ++i) {
      PlotNode& node = plot.nodes[first + i];
      node.at = {0.7 * leaves_below * (i + 0.5), 1.1 * level};
      if (level == height_) {
        node.towards_ingress = {-0.5, 1};
        node.towards_egress = {0.5, 1};
      } else {
        node.towards_ingress = {-1, -0.3};
        node.towards_egress = {1, -0.3};
      }
    }
    first += width;
    width *= d_ary_;
    leaves_below /= d_ary_;
  }
  return plot;
}

}  // namespace kernbench::topology::zoo

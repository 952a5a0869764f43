// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/base/hierarchical_topology.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "topology/zoo/base/hierarchical_layout.hpp"

namespace kernbench::topology::zoo {

HierarchicalTopology::HierarchicalTopology(TopologyPtr base,
                                           std::vector<HierarchicalSubTopology> children)
    : BaseTopology(define(*base, children)),
      base_(std::move(base)),
      children_(std::move(children)) {
  std::uint32_t next = base_->n_nodes();
  for (const HierarchicalSubTopology& child : children_) {
    first_nodes_.push_back(next);
    next += child.topology->n_nodes();
  }
}

BaseTopology::Definition HierarchicalTopology::define(
    const BaseTopology& base, const std::vector<HierarchicalSubTopology>& children) {
  Definition all{.name = fmt::format("HierarchicalTopology({}", base.name()),
                 .n_nodes = 0,
                 .channels = base.channels()};
  std::uint64_t nodes = base.n_nodes();
  std::uint64_t channels = base.channels().size();
  for (const HierarchicalSubTopology& child : children) {
    all.name +=
        fmt::format(",({},{},{})", child.base_node, child.child_node, child.topology->name());
    nodes += child.topology->n_nodes();
    channels += child.topology->channels().size() + 2;
  }
  all.name += ")";
  all.n_nodes = checked_size(all.name, nodes, channels);

  std::uint32_t first = base.n_nodes();
  for (std::size_t i = 0; i < children.size(); ++i) {
    const HierarchicalSubTopology& child = children[i];
    if (child.base_node >= base.n_nodes()) {
      throw std::invalid_argument(
          fmt::format("child {}: the base {} has no node {}", i, base.name(), child.base_node));
    }
    if (child.child_node >= child.topology->n_nodes()) {
      throw std::invalid_argument(
          fmt::format("child {}: {} has no node {}", i, child.topology->name(), child.child_node));
    }
    for (const Channel& channel : child.topology->channels()) {
      all.channels.push_back({first + channel.src, first + channel.dst});
    }
    all.channels.push_back({child.base_node, first + child.child_node});
    all.channels.push_back({first + child.child_node, child.base_node});
    first += child.topology->n_nodes();
  }
  return all;
}

Plot HierarchicalTopology::layout() const {
  return hierarchical_layout(*this);
}

}  // namespace kernbench::topology::zoo

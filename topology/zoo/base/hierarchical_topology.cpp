// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/base/hierarchical_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "topology/zoo/base/hierarchical_layout.hpp"

namespace kernbench::topology::zoo {

namespace {

/// Names the nodes if those of any part have names: nodes of child N are called "N.NAME".
void add_names(std::vector<std::string>& names, const BaseTopology& base,
               const std::vector<HierarchicalSubTopology>& children) {
  const bool named =
      base.has_node_names() || std::any_of(children.begin(), children.end(), [](const auto& child) {
        return child.topology->has_node_names();
      });
  if (!named) return;
  for (std::uint32_t i = 0; i < base.n_nodes(); ++i) names.push_back(base.node_name(i));
  for (std::size_t c = 0; c < children.size(); ++c) {
    const BaseTopology& child = *children[c].topology;
    for (std::uint32_t i = 0; i < child.n_nodes(); ++i) {
      names.push_back(fmt::format("{}.{}", c, child.node_name(i)));
    }
  }
}

/// Counts the endpoints of the nodes if a file counts those of any part.
void add_endpoints(std::vector<std::uint32_t>& endpoints, const BaseTopology& base,
                   const std::vector<HierarchicalSubTopology>& children) {
  const bool counted =
      base.has_endpoints() || std::any_of(children.begin(), children.end(), [](const auto& child) {
        return child.topology->has_endpoints();
      });
  if (!counted) return;
  for (std::uint32_t i = 0; i < base.n_nodes(); ++i) endpoints.push_back(base.endpoints(i));
  for (const HierarchicalSubTopology& child : children) {
    for (std::uint32_t i = 0; i < child.topology->n_nodes(); ++i) {
      endpoints.push_back(child.topology->endpoints(i));
    }
  }
}

}  // namespace

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
  all.parallel = base.has_parallel_channels();
  for (const HierarchicalSubTopology& child : children) {
    all.parallel = all.parallel || child.topology->has_parallel_channels();
  }
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
  add_names(all.node_names, base, children);
  add_endpoints(all.endpoints, base, children);
  return all;
}

HierarchicalTopology::Place HierarchicalTopology::place_of(std::uint32_t node) const {
  if (node < base_->n_nodes()) return {nullptr, node};
  const auto after = std::upper_bound(first_nodes_.begin(), first_nodes_.end(), node);
  const auto child = static_cast<std::size_t>(after - first_nodes_.begin()) - 1;
  return {&children_[child], node - first_nodes_[child]};
}

bool HierarchicalTopology::must_reach(std::uint32_t src, std::uint32_t dst) const {
  const auto reaches = [](const BaseTopology& part, std::uint32_t from, std::uint32_t to) {
    return from == to || part.must_reach(from, to);
  };
  const Place from = place_of(src);
  const Place to = place_of(dst);
  if (from.child == to.child) {
    const BaseTopology& part = from.child == nullptr ? *base_ : *from.child->topology;
    return part.must_reach(from.node, to.node);
  }
  const std::uint32_t enters = from.child == nullptr ? from.node : from.child->base_node;
  const std::uint32_t leaves = to.child == nullptr ? to.node : to.child->base_node;
  return (from.child == nullptr ||
          reaches(*from.child->topology, from.node, from.child->child_node)) &&
         reaches(*base_, enters, leaves) &&
         (to.child == nullptr || reaches(*to.child->topology, to.child->child_node, to.node));
}

Plot HierarchicalTopology::layout() const {
  return hierarchical_layout(*this);
}

}  // namespace kernbench::topology::zoo

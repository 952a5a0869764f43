// SPDX-License-Identifier: Apache-2.0
#include "topology/graph/topology_graph.hpp"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>
#include <utility>

#include "common/hash.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

TopologyGraph::TopologyGraph(const TopologySpec& spec, CubeMesh mesh)
    : spec_(std::make_shared<const TopologySpec>(spec)), mesh_(std::move(mesh)) {}

std::string_view TopologyGraph::name(NodeId id) const {
  const std::size_t i = id.value();
  const std::size_t begin = i == 0 ? 0 : name_ends_[i - 1];
  return std::string_view(names_).substr(begin, name_ends_[i] - begin);
}

std::size_t TopologyGraph::index_slot(std::string_view name) const {
  const std::size_t mask = name_index_.size() - 1;
  std::size_t slot = common::mix64(common::hash_bytes(name)) & mask;
  while (name_index_[slot] != 0 && this->name(NodeId(name_index_[slot] - 1)) != name) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

void TopologyGraph::index_names() {
  // At most half full, to keep probe sequences short.
  name_index_.assign(std::bit_ceil(2 * nodes_.size() + 1), 0);
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    std::uint32_t& entry = name_index_[index_slot(name(NodeId(i)))];
    if (entry != 0) {
      throw std::logic_error(fmt::format("two nodes are named {}", name(NodeId(i))));
    }
    entry = i + 1;
  }
}

std::optional<NodeId> TopologyGraph::find(std::string_view name) const {
  const std::uint32_t entry = name_index_[index_slot(name)];
  if (entry == 0) return std::nullopt;
  return NodeId(entry - 1);
}

}  // namespace kernbench::topology

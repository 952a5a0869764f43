// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/table/node_finder.hpp"

#include <fmt/format.h>

#include "common/numbers.hpp"
#include "common/utf8.hpp"

namespace kernbench::topology::zoo {

NodeFinder::NodeFinder(const BaseTopology& topology) : topology_(topology) {
  for (std::uint32_t node = 0; node < topology.node_names().size(); ++node) {
    numbers_.emplace(topology.node_names()[node], node);
  }
}

std::optional<std::uint32_t> NodeFinder::find(std::string_view name) const {
  if (topology_.has_node_names()) {
    const auto found = numbers_.find(std::string(name));
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  const auto number = common::parse_u64(name);
  if (!number || *number >= topology_.n_nodes()) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

std::string NodeFinder::expected() const {
  if (!topology_.has_node_names()) {
    return fmt::format("an integer from 0 to {}", topology_.n_nodes() - 1);
  }
  return fmt::format("a node of the topology, such as {}",
                     common::in_quotes(topology_.node_names().front()));
}

}  // namespace kernbench::topology::zoo

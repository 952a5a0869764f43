// SPDX-License-Identifier: Apache-2.0
#include "topology/routing/node_lookup.hpp"

#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "common/text_distance.hpp"
#include "topology/graph/node_names.hpp"
#include "topology/routing/phys_addr.hpp"

namespace kernbench::topology {

std::optional<std::string> nearest_node(const TopologyGraph& graph, std::string_view name) {
  constexpr std::size_t kLongest = 200;  // no node has such a name
  if (name.size() > kLongest) return std::nullopt;
  std::string found;
  for (const std::string_view part : node_names::parts_of(name)) {
    // The distinct parts that follow `found` are few, however many nodes there are.
    std::set<std::string_view> next;
    for (std::size_t i = 0; i < graph.nodes().size(); ++i) {
      std::string_view node = graph.name(NodeId(static_cast<std::uint32_t>(i)));
      if (!node.starts_with(found)) continue;
      node.remove_prefix(found.size());
      next.insert(node.substr(0, node.find('.')));
    }
    const std::vector<std::string_view> candidates(next.begin(), next.end());
    const auto nearest =
        next.count(part) != 0 ? std::optional(part) : common::nearest_name(part, candidates);
    if (!nearest) return std::nullopt;
    found += *nearest;
    found += '.';
  }
  found.pop_back();
  if (found == name) return std::nullopt;
  return found;
}

NodeId node_named(const TopologyGraph& graph, std::string_view name) {
  const auto id = graph.find(name);
  if (!id) throw RoutingError(fmt::format("node {} not found in topology", name));
  return *id;
}

}  // namespace kernbench::topology

// SPDX-License-Identifier: Apache-2.0
#include "topology/routing/node_lookup.hpp"

#include <fmt/format.h>

#include "topology/routing/phys_addr.hpp"

namespace kernbench::topology {

NodeId node_named(const TopologyGraph& graph, std::string_view name) {
  const auto id = graph.find(name);
  if (!id) throw RoutingError(fmt::format("node {} not found in topology", name));
  return *id;
}

}  // namespace kernbench::topology

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "topology/graph/graph_builder.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::transport {

/// Returns a line of nodes a, b, c, d with an overhead of 2 ns each, and wires of 256, 128 and 256
/// GB/s. A fifth node e is connected to b with 256 GB/s. All wires are 1 mm (10 ps) long.
inline topology::TopologyGraph line_graph() {
  topology::GraphBuilder builder(topology::TopologySpec{}, topology::CubeMesh{});
  std::vector<topology::NodeId> nodes;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    nodes.push_back(builder.add_node(name, 2.0, topology::Node{}));
  }
  const auto join = [&](std::size_t from, std::size_t to, double bw) {
    builder.add_pair(nodes[from], nodes[to], topology::EdgeKind::Pcie, {bw, 1'000'000, 0});
  };
  join(0, 1, 256);
  join(1, 2, 128);
  join(2, 3, 256);
  join(4, 1, 256);
  return std::move(builder).finish({});
}

}  // namespace kernbench::model::transport

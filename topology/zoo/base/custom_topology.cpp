// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/base/custom_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "topology/zoo/layout/custom_layout.hpp"

namespace kernbench::topology::zoo {

BaseTopology::Definition CustomTopology::define(std::uint32_t n, std::vector<Channel> edges,
                                                std::vector<std::string> names,
                                                std::vector<std::uint32_t> endpoints) {
  Definition graph;
  graph.endpoints = std::move(endpoints);
  graph.node_names = std::move(names);
  graph.name = fmt::format("CustomTopology({},{} edges)", n, edges.size());
  graph.channels = std::move(edges);
  require_at_least(graph.name, "n", n, 1);
  graph.n_nodes = checked_size(graph.name, n, graph.channels.size());
  for (const Channel& edge : graph.channels) {
    if (edge.src >= n || edge.dst >= n) {
      throw std::invalid_argument(
          fmt::format("{}: edge {} is outside nodes 0..{}", graph.name, channel_name(edge), n - 1));
    }
    if (edge.src == edge.dst) {
      throw std::invalid_argument(
          fmt::format("{}: edge {} leads to itself", graph.name, channel_name(edge)));
    }
  }
  std::sort(graph.channels.begin(), graph.channels.end());
  const auto twice = std::adjacent_find(graph.channels.begin(), graph.channels.end());
  if (twice != graph.channels.end()) {
    throw std::invalid_argument(
        fmt::format("{}: edge {} is given twice", graph.name, channel_name(*twice)));
  }
  return graph;
}

CustomTopology::CustomTopology(std::uint32_t n, std::vector<Channel> edges,
                               std::vector<std::string> names, std::vector<std::uint32_t> endpoints,
                               bool partial)
    : BaseTopology(define(n, std::move(edges), std::move(names), std::move(endpoints))),
      partial_(partial) {}

Plot CustomTopology::layout() const {
  return custom_layout(n_nodes(), channels());
}

}  // namespace kernbench::topology::zoo

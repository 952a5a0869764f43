// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/base/custom_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace kernbench::topology::zoo {

BaseTopology::Definition CustomTopology::define(std::uint32_t n, std::vector<Channel> edges,
                                                std::vector<std::string> names,
                                                std::vector<std::uint32_t> endpoints,
                                                SameEdges same) {
  Definition graph;
  graph.endpoints = std::move(endpoints);
  graph.parallel = same == SameEdges::AreParallel;
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
  std::stable_sort(graph.channels.begin(), graph.channels.end());
  const auto twice = std::adjacent_find(graph.channels.begin(), graph.channels.end());
  if (twice != graph.channels.end() && !graph.parallel) {
    throw std::invalid_argument(
        fmt::format("{}: edge {} is given twice", graph.name, channel_name(*twice)));
  }
  return graph;
}

CustomTopology::CustomTopology(std::uint32_t n, std::vector<Channel> edges,
                               std::vector<std::string> names, std::vector<std::uint32_t> endpoints,
                               bool partial, SameEdges same)
    : BaseTopology(define(n, std::move(edges), std::move(names), std::move(endpoints), same)),
      partial_(partial) {}

}  // namespace kernbench::topology::zoo

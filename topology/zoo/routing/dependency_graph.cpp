// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/dependency_graph.hpp"

#include <algorithm>
#include <cstddef>

namespace kernbench::topology::zoo {
namespace {

using Edges = std::vector<std::vector<std::uint32_t>>;

Edges reversed(const Edges& next) {
  Edges before(next.size());
  for (std::uint32_t from = 0; from < next.size(); ++from) {
    for (const std::uint32_t to : next[from]) before[to].push_back(from);
  }
  return before;
}

/// Repeatedly removes the vertices without an incoming edge.
void peel(const Edges& next, const Edges& before, std::vector<bool>& left) {
  std::vector<std::size_t> incoming(next.size(), 0);
  std::vector<std::uint32_t> bare;
  for (std::uint32_t vertex = 0; vertex < next.size(); ++vertex) {
    if (!left[vertex]) continue;
    for (const std::uint32_t from : before[vertex]) incoming[vertex] += left[from] ? 1 : 0;
    if (incoming[vertex] == 0) bare.push_back(vertex);
  }
  while (!bare.empty()) {
    const std::uint32_t vertex = bare.back();
    bare.pop_back();
    left[vertex] = false;
    for (const std::uint32_t to : next[vertex]) {
      if (left[to] && --incoming[to] == 0) bare.push_back(to);
    }
  }
}

}  // namespace

void DependencyGraph::add(std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint32_t>& next = next_[from];
  if (std::find(next.begin(), next.end(), to) != next.end()) return;
  next.push_back(to);
  ++edges_;
}

std::vector<bool> DependencyGraph::between_cycles() const {
  std::vector<bool> left(next_.size(), true);
  const Edges before = reversed(next_);
  peel(next_, before, left);
  peel(before, next_, left);
  return left;
}

std::vector<std::uint32_t> DependencyGraph::cycle_through(
    std::uint32_t vertex, const std::vector<bool>& candidate) const {
  constexpr std::uint32_t kUnseen = 0xffffffffU;
  std::vector<std::uint32_t> reached_from(next_.size(), kUnseen);
  std::vector<std::uint32_t> reached{vertex};
  for (std::size_t i = 0; i < reached.size() && reached_from[vertex] == kUnseen; ++i) {
    for (const std::uint32_t to : next_[reached[i]]) {
      if (!candidate[to] || reached_from[to] != kUnseen) continue;
      reached_from[to] = reached[i];
      reached.push_back(to);
    }
  }
  std::vector<std::uint32_t> cycle;
  if (reached_from[vertex] == kUnseen) return cycle;
  for (std::uint32_t at = reached_from[vertex]; at != vertex; at = reached_from[at]) {
    cycle.push_back(at);
  }
  cycle.push_back(vertex);
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

std::vector<std::uint32_t> DependencyGraph::cycle() const {
  // The remaining vertices are on cycles or on paths between cycles.
  const std::vector<bool> left = between_cycles();
  for (std::uint32_t vertex = 0; vertex < next_.size(); ++vertex) {
    if (!left[vertex]) continue;
    std::vector<std::uint32_t> cycle = cycle_through(vertex, left);
    if (!cycle.empty()) return cycle;
  }
  return {};
}

}  // namespace kernbench::topology::zoo

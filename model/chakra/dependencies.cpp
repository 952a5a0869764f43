// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/dependencies.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kernbench::model::chakra {

namespace {

constexpr std::size_t kListedNodes = 20;

bool has_lower_id(const Node& a, const Node& b) {
  return a.id < b.id;
}

/// Returns the first node of this id or a higher one.
std::vector<Node>::const_iterator find_id(const std::vector<Node>& nodes, std::uint64_t id) {
  // Ids mostly count up without gaps.
  if (!nodes.empty() && id >= nodes[0].id && id - nodes[0].id < nodes.size()) {
    const auto guess = nodes.begin() + static_cast<std::ptrdiff_t>(id - nodes[0].id);
    if (guess->id == id) return guess;
  }
  return std::lower_bound(nodes.begin(), nodes.end(), id,
                          [](const Node& node, std::uint64_t wanted) { return node.id < wanted; });
}

/// The dependencies of all nodes, as indices of nodes.
struct Dependencies {
  std::vector<std::uint32_t> first;  ///< by node, and the end
  std::vector<std::uint32_t> nodes;
};

void report_circle(const RankTrace& trace, const Dependencies& dependencies,
                   const std::vector<std::uint32_t>& missing, const std::string& file,
                   common::Diagnostics& errors) {
  // Each node that never becomes ready has a dependency that never becomes ready either.
  const auto next = [&](std::uint32_t node) {
    const auto begin = dependencies.nodes.begin() + dependencies.first[node];
    return *std::find_if(begin, dependencies.nodes.end(),
                         [&](std::uint32_t other) { return missing[other] != 0; });
  };
  const auto stuck =
      std::find_if(missing.begin(), missing.end(), [](std::uint32_t count) { return count != 0; });
  auto node = static_cast<std::uint32_t>(stuck - missing.begin());
  std::vector<std::uint32_t> path;
  std::vector<bool> seen(trace.nodes.size());
  while (!seen[node]) {
    seen[node] = true;
    path.push_back(node);
    node = next(node);
  }
  path.erase(path.begin(), std::find(path.begin(), path.end(), node));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < path.size() && i < kListedNodes; ++i) {
    names.push_back(trace.describe(trace.nodes[path[i]]));
  }
  if (path.size() > kListedNodes)
    names.push_back(fmt::format("{} more", path.size() - names.size()));
  names.push_back(names.front());
  errors.error({file},
               fmt::format("dependencies in a circle, where each node waits for the next: {}",
                           fmt::join(names, ", ")));
}

}  // namespace

std::uint64_t link_nodes(RankTrace& trace, const std::vector<std::uint64_t>& ids,
                         const std::string& file, common::Diagnostics& errors) {
  std::vector<Node>& nodes = trace.nodes;
  if (!std::is_sorted(nodes.begin(), nodes.end(), has_lower_id)) {
    std::stable_sort(nodes.begin(), nodes.end(), has_lower_id);
  }
  const std::size_t errors_before = errors.size();
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i].id != nodes[i - 1].id) continue;
    errors.error({file}, fmt::format("byte {}: {} has the id of {} at byte {}", nodes[i].position,
                                     trace.describe(nodes[i]), trace.describe(nodes[i - 1]),
                                     nodes[i - 1].position));
  }
  Dependencies dependencies;
  dependencies.first.reserve(nodes.size() + 1);
  dependencies.nodes.reserve(ids.size());
  std::vector<std::uint32_t> child_count(nodes.size() + 1);
  std::uint64_t absent = 0;
  for (Node& node : nodes) {
    const std::size_t begin = dependencies.nodes.size();
    dependencies.first.push_back(static_cast<std::uint32_t>(begin));
    for (std::uint32_t i = 0; i < node.dependencies; ++i) {
      const std::uint64_t id = ids[node.first_child + i];
      const auto found = find_id(nodes, id);
      if (found == nodes.end() || found->id != id) {
        ++absent;
        continue;
      }
      const auto index = static_cast<std::uint32_t>(found - nodes.begin());
      dependencies.nodes.push_back(index);
      ++child_count[index];
    }
    node.dependencies = static_cast<std::uint32_t>(dependencies.nodes.size() - begin);
  }
  dependencies.first.push_back(static_cast<std::uint32_t>(dependencies.nodes.size()));
  if (errors.size() != errors_before) return absent;

  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].first_child = begin;
    begin += child_count[i];
    child_count[i] = nodes[i].first_child;
  }
  trace.children.resize(begin);
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    for (std::uint32_t i = dependencies.first[node]; i < dependencies.first[node + 1]; ++i) {
      trace.children[child_count[dependencies.nodes[i]]++] = node;
    }
  }

  std::vector<std::uint32_t> missing;
  std::vector<std::uint32_t> ready;
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    missing.push_back(nodes[node].dependencies);
    if (missing[node] == 0) ready.push_back(node);
  }
  std::size_t done = 0;
  for (; !ready.empty(); ++done) {
    const std::uint32_t node = ready.back();
    ready.pop_back();
    for (const std::uint32_t child : trace.children_of(node)) {
      if (--missing[child] == 0) ready.push_back(child);
    }
  }
  if (done != nodes.size()) report_circle(trace, dependencies, missing, file, errors);
  return absent;
}

}  // namespace kernbench::model::chakra

// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/dependencies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

/// The place of a node's dependencies in DependencyIds.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
};

/// Finds the nodes that `ranges`, by node, name, with or without control dependencies. Fills in
/// Node::dependencies and counts in `links` what is left out.
Dependencies resolve(std::vector<Node>& nodes, const DependencyIds& ids,
                     const std::vector<Range>& ranges, bool with_controls, Links& links) {
  links = {};
  Dependencies found;
  found.first.reserve(nodes.size() + 1);
  found.nodes.reserve(ids.ids.size());
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const std::size_t begin = found.nodes.size();
    found.first.push_back(static_cast<std::uint32_t>(begin));
    for (std::uint32_t i = ranges[node].begin; i < ranges[node].begin + ranges[node].size; ++i) {
      const auto named = find_id(nodes, ids.ids[i]);
      if (named == nodes.end() || named->id != ids.ids[i]) {
        ++links.absent;
      } else if (ids.is_control[i] && !with_controls) {
        ++links.dropped;
      } else {
        found.nodes.push_back(static_cast<std::uint32_t>(named - nodes.begin()));
      }
    }
    nodes[node].dependencies = static_cast<std::uint32_t>(found.nodes.size() - begin);
  }
  found.first.push_back(static_cast<std::uint32_t>(found.nodes.size()));
  return found;
}

/// Fills in the children of all nodes.
void fill_children(RankTrace& trace, const Dependencies& dependencies) {
  std::vector<Node>& nodes = trace.nodes;
  std::vector<std::uint32_t> next(nodes.size());
  for (const std::uint32_t node : dependencies.nodes) ++next[node];
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].first_child = begin;
    begin += std::exchange(next[i], begin);
  }
  trace.children.resize(begin);
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    for (std::uint32_t i = dependencies.first[node]; i < dependencies.first[node + 1]; ++i) {
      trace.children[next[dependencies.nodes[i]]++] = node;
    }
  }
}

/// Returns how many dependencies of each node are never done: all 0 unless there is a circle.
std::vector<std::uint32_t> never_done(const RankTrace& trace) {
  std::vector<std::uint32_t> missing;
  std::vector<std::uint32_t> ready;
  missing.reserve(trace.nodes.size());
  for (std::uint32_t node = 0; node < trace.nodes.size(); ++node) {
    missing.push_back(trace.nodes[node].dependencies);
    if (missing[node] == 0) ready.push_back(node);
  }
  while (!ready.empty()) {
    const std::uint32_t node = ready.back();
    ready.pop_back();
    for (const std::uint32_t child : trace.children_of(node)) {
      if (--missing[child] == 0) ready.push_back(child);
    }
  }
  return missing;
}

}  // namespace

Links link_nodes(RankTrace& trace, const DependencyIds& ids, const std::string& file,
                 common::Diagnostics& errors) {
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
  std::vector<Range> ranges;
  ranges.reserve(nodes.size());
  for (const Node& node : nodes) ranges.push_back({node.first_child, node.dependencies});
  Links links;
  for (const bool with_controls : {true, false}) {
    const Dependencies dependencies = resolve(nodes, ids, ranges, with_controls, links);
    if (errors.size() != errors_before) break;
    fill_children(trace, dependencies);
    const std::vector<std::uint32_t> missing = never_done(trace);
    if (std::all_of(missing.begin(), missing.end(), [](std::uint32_t n) { return n == 0; })) break;
    if (!with_controls) report_circle(trace, dependencies, missing, file, errors);
  }
  return links;
}

}  // namespace kernbench::model::chakra

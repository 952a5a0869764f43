// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kernbench::topology::zoo {

/// A directed graph of dependencies between numbered resources.
class DependencyGraph {
 public:
  explicit DependencyGraph(std::size_t vertices) : next_(vertices) {}

  /// Adds an edge; adding it again has no effect.
  void add(std::uint32_t from, std::uint32_t to);
  [[nodiscard]] std::uint64_t edges() const { return edges_; }

  /// Returns the shortest cycle through the smallest vertex that is on any cycle, starting with
  /// that vertex; empty if there is none.
  [[nodiscard]] std::vector<std::uint32_t> cycle() const;

 private:
  [[nodiscard]] std::vector<bool> between_cycles() const;
  [[nodiscard]] std::vector<std::uint32_t> cycle_through(std::uint32_t vertex,
                                                         const std::vector<bool>& candidate) const;

  std::vector<std::vector<std::uint32_t>> next_;  ///< short lists: linear search is fastest
  std::uint64_t edges_ = 0;
};

}  // namespace kernbench::topology::zoo

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// Subsets of the edges, selected by the routing policy (ADR-0051 D2).
enum class Adjacency : std::uint8_t {
  All,      ///< every edge
  Data,     ///< all but `command`: PE DMA and other data
  McpuDma,  ///< all but pe_internal and pe_to_router: stays out of the PEs
  Local,    ///< all but UCIe, IO boundary and MAZE: stays in the cube
};
inline constexpr std::size_t kAdjacencies = 4;

/// Returns true if edges of `kind` belong to `adjacency`.
[[nodiscard]] bool contains(Adjacency adjacency, EdgeKind kind);

/// An edge, reduced to what a search needs.
struct Arc {
  std::uint32_t to = 0;
  EdgeId edge;
  std::int64_t weight_nm = 0;
};

/// One adjacency: the arcs that leave each node, in the order of edge creation.
class ArcTable {
 public:
  [[nodiscard]] std::span<const Arc> leaving(std::uint32_t node) const {
    return std::span(arcs_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  friend std::array<ArcTable, kAdjacencies> build_adjacencies(const TopologyGraph& graph);

  std::vector<std::uint32_t> first_;  ///< node i's arcs are [first_[i], first_[i + 1])
  std::vector<Arc> arcs_;
};

/// Builds all four adjacencies in one pass over the edges.
[[nodiscard]] std::array<ArcTable, kAdjacencies> build_adjacencies(const TopologyGraph& graph);

}  // namespace kernbench::topology

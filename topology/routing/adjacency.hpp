// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "topology/graph/topology_graph.hpp"
#include "topology/routing/stops.hpp"

namespace kernbench::topology {

/// Subsets of the edges, selected by the routing policy (ADR-0051 D2).
enum class Adjacency : std::uint8_t {
  All,      ///< every edge
  Data,     ///< all but `command`: PE DMA and other data
  McpuDma,  ///< all but pe_internal and pe_to_router: stays out of the PEs
  Local,    ///< all but UCIe, IO boundary and fabrics: stays in the cube
};
inline constexpr std::size_t kAdjacencies = 4;

/// Returns true if edges of `kind` belong to `adjacency`.
[[nodiscard]] bool contains(Adjacency adjacency, EdgeKind kind);

/// A way along an edge from stop to stop. An edge between PHYs has one for each lane.
struct Arc {
  std::uint32_t to = 0;  ///< stop
  EdgeId edge;
  std::int64_t weight_nm = 0;
};

/// One adjacency: the arcs that leave each stop, in the order of edge creation, then of lanes.
class ArcTable {
 public:
  [[nodiscard]] std::span<const Arc> leaving(std::uint32_t stop) const {
    return std::span(arcs_).subspan(first_[stop], first_[stop + 1] - first_[stop]);
  }

 private:
  friend std::array<ArcTable, kAdjacencies> build_adjacencies(const TopologyGraph& graph,
                                                              const Stops& stops);

  std::vector<std::uint32_t> first_;  ///< stop i's arcs are [first_[i], first_[i + 1])
  std::vector<Arc> arcs_;
};

/// Builds all four adjacencies.
[[nodiscard]] std::array<ArcTable, kAdjacencies> build_adjacencies(const TopologyGraph& graph,
                                                                   const Stops& stops);

}  // namespace kernbench::topology

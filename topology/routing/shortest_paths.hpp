// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <queue>
#include <vector>

#include "topology/routing/adjacency.hpp"

namespace kernbench::topology {

/// Resumable Dijkstra search from one source: each query settles only as many nodes as it needs,
/// and the results do not depend on earlier queries (ADR-0051 D4).
/// Nodes are settled in the order of (distance, push counter) and relaxed strictly, so the first of
/// several shortest paths is kept. There is one exception: of two mesh edges that reach a router at
/// the same distance, the vertical one is kept. Equal routes through a mesh are therefore XY routes
/// whatever its spacing (Architecture, "CUBE": deterministic XY routing).
class ShortestPaths {
 public:
  /// `without_command` excludes control-plane edges. All references must outlive the search.
  ShortestPaths(const TopologyGraph& graph, const ArcTable& arcs, NodeId source,
                bool without_command);
  /// Restarts as another search of the same graph. Takes time in the number of nodes reached so
  /// far, which is small for most searches of a large graph.
  void restart(const ArcTable& arcs, NodeId source, bool without_command);

  /// Returns the length of the shortest path to `goal` in nm of weight, or nothing if there is
  /// none.
  [[nodiscard]] std::optional<std::int64_t> distance_nm(NodeId goal);
  /// Returns the edges from source to goal. distance_nm(goal) must have returned a distance.
  [[nodiscard]] std::vector<EdgeId> edges_to(NodeId goal) const;

  [[nodiscard]] static std::size_t bytes(const TopologyGraph& graph);

 private:
  struct Pending {
    std::int64_t distance = 0;
    std::uint64_t counter = 0;
    std::uint32_t node = 0;
    friend bool operator>(const Pending& a, const Pending& b) {
      return a.distance != b.distance ? a.distance > b.distance : a.counter > b.counter;
    }
  };
  static constexpr std::uint32_t kNoEdge = std::numeric_limits<std::uint32_t>::max();
  enum class Progress : std::uint8_t { Unreached, Reached, Settled };
  struct NodeState {
    std::int64_t distance = 0;
    std::uint32_t reached_by = kNoEdge;  ///< id of the edge
    Progress progress = Progress::Unreached;
  };

  void settle_next();
  void relax(const Arc& arc, std::int64_t distance);

  const TopologyGraph& graph_;
  const ArcTable* arcs_ = nullptr;
  bool without_command_ = false;
  std::vector<NodeState> nodes_;
  std::vector<std::uint32_t> reached_;  ///< nodes reached so far
  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> pending_;
  std::uint64_t pushed_ = 0;
};

}  // namespace kernbench::topology

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <queue>
#include <vector>

#include "topology/routing/adjacency.hpp"

namespace kernbench::topology {

/// Dijkstra from one source that goes on where it stopped: each question settles just as many
/// nodes as it needs, and the answers do not depend on what was asked before (ADR-0051 D4).
///
/// Nodes are settled in the order of (distance, push counter) and relaxed strictly, so the first
/// of equally short ways stays. There is one exception: of two mesh edges that reach a router
/// equally far, the vertical one is kept, and so equal routes through a mesh are the XY route
/// whatever its spacing (Architecture, "CUBE": deterministic XY routing).
class ShortestPaths {
 public:
  /// `without_command` leaves control-plane edges out. All references must outlive it.
  ShortestPaths(const TopologyGraph& graph, const ArcTable& arcs, NodeId source,
                bool without_command);
  /// Becomes another search of the same graph, in time of what the last one has reached: most
  /// searches see little of a large graph.
  void restart(const ArcTable& arcs, NodeId source, bool without_command);

  /// Length of the shortest way to `goal`, in nm of weight; nothing if there is no way.
  [[nodiscard]] std::optional<std::int64_t> distance_nm(NodeId goal);
  /// The edges from source to goal. `goal` must have a distance.
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
    std::uint32_t reached_by = kNoEdge;  ///< edge id
    Progress progress = Progress::Unreached;
  };

  void settle_next();
  void relax(const Arc& arc, std::int64_t distance);

  const TopologyGraph& graph_;
  const ArcTable* arcs_ = nullptr;
  bool without_command_ = false;
  std::vector<NodeState> nodes_;
  std::vector<std::uint32_t> reached_;  ///< nodes
  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> pending_;
  std::uint64_t pushed_ = 0;
};

}  // namespace kernbench::topology

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <queue>
#include <vector>

#include "topology/routing/adjacency.hpp"

namespace kernbench::topology {

/// Returns true if all edges between SIPs and what is outside them meet one node.
[[nodiscard]] bool are_sips_leaves(const TopologyGraph& graph);

/// Resumable Dijkstra search from one source: each query settles only as many stops as it needs,
/// and the results do not depend on earlier queries (ADR-0051 D4).
/// Stops are settled in the order of (distance, push counter) and relaxed strictly, so the first of
/// several shortest paths is kept. There is one exception: of two edges that reach a router at the
/// same distance, the vertical one is kept. Equal routes through a mesh are therefore XY routes
/// whatever its spacing (Architecture, "CUBE": deterministic XY routing), and as edges between
/// routers and connections on the north and south sides are vertical, so are routes over a SIP.
/// A search from a PHY begins at all of its lanes; one to a PHY ends at the nearest, of equals at
/// the lowest.
///
/// Where all SIPs hang on one node (`leaves`), a search enters only those of its source and of its
/// goals: no shortest path crosses another, and stops of different SIPs never compete for a
/// predecessor. Otherwise a search between two of n SIPs would settle all of them, which made an
/// all-reduce over 128 SIPs take 60 s in place of 10.
class ShortestPaths {
 public:
  /// `without_command` excludes control-plane edges. `leaves`: see above; are_sips_leaves() must
  /// hold. All references must outlive the search.
  ShortestPaths(const TopologyGraph& graph, const Stops& stops, const ArcTable& arcs, NodeId source,
                bool without_command, bool leaves);
  /// Restarts as another search of the same graph. Takes time in the number of stops reached so
  /// far, which is small for most searches of a large graph.
  void restart(const ArcTable& arcs, NodeId source, bool without_command);

  /// Returns the length of the shortest path to `goal` in nm of weight, or nothing if there is
  /// none.
  [[nodiscard]] std::optional<std::int64_t> distance_nm(NodeId goal);
  /// Returns the edges from source to goal. distance_nm(goal) must have returned a distance.
  [[nodiscard]] std::vector<EdgeId> edges_to(NodeId goal) const;

  [[nodiscard]] static std::size_t bytes(const Stops& stops);

 private:
  struct Pending {
    std::int64_t distance = 0;
    std::uint64_t counter = 0;
    std::uint32_t stop = 0;
    friend bool operator>(const Pending& a, const Pending& b) {
      return a.distance != b.distance ? a.distance > b.distance : a.counter > b.counter;
    }
  };
  static constexpr std::uint32_t kNoEdge = std::numeric_limits<std::uint32_t>::max();
  enum class Progress : std::uint8_t { Unreached, Reached, Settled };
  struct StopState {
    std::int64_t distance = 0;
    std::uint32_t reached_by = kNoEdge;   ///< id of the edge
    std::uint32_t from_and_progress = 0;  ///< stop x 4 + progress

    [[nodiscard]] Progress progress() const {
      return static_cast<Progress>(from_and_progress & 3U);
    }
    [[nodiscard]] std::uint32_t from() const { return from_and_progress >> 2U; }
    void set(Progress progress) { set(from(), progress); }
    void set(std::uint32_t from, Progress progress) {
      from_and_progress = from << 2U | static_cast<std::uint32_t>(progress);
    }
  };
  static_assert(sizeof(StopState) == 16, "a search of a large graph has millions");

  /// An arc into a SIP that no goal was in so far.
  struct Held {
    std::uint32_t from = 0;
    const Arc* arc = nullptr;
    std::int64_t distance = 0;
  };

  [[nodiscard]] std::uint16_t sip_of(std::uint32_t stop) const;
  [[nodiscard]] bool is_open(std::uint16_t sip) const;
  /// Follows the arcs into a SIP, now and later.
  void open(std::uint16_t sip);
  void settle_next();
  void relax(std::uint32_t from, const Arc& arc, std::int64_t distance);
  [[nodiscard]] std::optional<std::int64_t> stop_distance_nm(std::uint32_t stop);
  /// Returns the stop at which a search for `goal` ends.
  [[nodiscard]] std::uint32_t last_stop(NodeId goal) const;

  const TopologyGraph& graph_;
  const Stops& stops_;
  const ArcTable* arcs_ = nullptr;
  bool without_command_ = false;
  bool leaves_;
  std::vector<std::uint16_t> open_;  ///< SIPs that were entered
  std::vector<Held> held_;
  std::vector<StopState> states_;
  std::vector<std::uint32_t> reached_;  ///< stops reached so far
  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> pending_;
  std::uint64_t pushed_ = 0;
};

}  // namespace kernbench::topology

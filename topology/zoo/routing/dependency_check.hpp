// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/outcome.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// An argument of a relation: a packet for `dst` at node `at` that arrived through `in` or was
/// injected there.
struct RoutingPoint {
  std::uint32_t at = 0;
  std::optional<Hop> in;
  std::uint32_t dst = 0;
};

/// Number of findings of one sort, and the first of them.
struct RoutingFindings {
  static constexpr std::size_t kShown = 10;
  std::uint64_t count = 0;
  std::vector<RoutingPoint> first;

  void add(const RoutingPoint& point) {
    if (++count <= kShown) first.push_back(point);
  }
};

/// Result of check_routing().
struct RoutingCheck {
  std::string relation;
  std::uint32_t n_vcs = 0;
  std::uint64_t pairs = 0;         ///< pairs of two different nodes with endpoints
  RoutingFindings unjoined;        ///< no channels lead there, though the topology must join them
  RoutingFindings one_way;         ///< no channels lead there, and need not
  RoutingFindings unrouted;        ///< channels lead there, but the relation has no first hop
  RoutingFindings dead_ends;       ///< the relation leads to a node without a next hop
  RoutingFindings invalid;         ///< hops from another node, or on a VC that does not exist
  RoutingFindings livelocks;       ///< a packet may take the same hop again, forever
  std::uint64_t used_vcs = 0;      ///< pairs of a channel and a VC that some packet may use
  std::uint64_t dependencies = 0;  ///< edges of the channel dependency graph
  std::vector<Hop> cycle;          ///< a cycle in that graph, or empty
  /// Places in the relation's file that let each hop of the cycle wait for the next; empty if it
  /// has no file.
  std::vector<std::string> cycle_places;

  [[nodiscard]] bool deadlock_free() const { return cycle.empty(); }
  /// Returns the number of pairs that channels join.
  [[nodiscard]] std::uint64_t joined() const { return pairs - unjoined.count - one_way.count; }
  /// Returns Pass if the relation is deadlock-free and delivers between all pairs that the topology
  /// must join, Vacuous if there is no such pair, else Mismatch.
  [[nodiscard]] common::Outcome outcome() const;
  [[nodiscard]] bool passed() const { return outcome() == common::Outcome::Pass; }
};

/// Follows `relation` from every node to every other one, over all choices that it allows. Builds
/// its channel dependency graph (Dally and Seitz 1987), with an edge from each hop to each possible
/// next hop. Without a cycle the relation cannot deadlock. With one, the result has the shortest
/// cycle through its first hop (in channel order) as proof of a possible deadlock.
/// Takes time proportional to the number of reachable hops, summed over the destinations.
/// Throws std::invalid_argument for a topology of more than kMaxRoutedNodes nodes.
[[nodiscard]] RoutingCheck check_routing(const RoutingRelation& relation);

/// Returns the findings as readable text, each line ended by a newline. A cycle is written as "0->1
/// vc0, 1->0 vc0, back to 0->1 vc0".
[[nodiscard]] std::string routing_report(const BaseTopology& topology, const RoutingCheck& check);

/// Returns ", 5 endpoints at 4 nodes" if a file counts them, else nothing.
[[nodiscard]] std::string endpoints_text(const BaseTopology& topology);

/// Returns "PASS", or "FAIL" or "VACUOUS" with the reason, on one line.
[[nodiscard]] std::string verdict_text(const RoutingCheck& check);

/// Returns the text of a cycle, which must not be empty, as in the report.
[[nodiscard]] std::string cycle_text(const BaseTopology& topology, const std::vector<Hop>& cycle);

}  // namespace kernbench::topology::zoo

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// A place at which a relation was asked: a packet for `dst` at node `at`, which came in through
/// `in` or was injected there.
struct RoutingPoint {
  std::uint32_t at = 0;
  std::optional<Hop> in;
  std::uint32_t dst = 0;
};

/// How often something was found, and the first times.
struct RoutingFindings {
  static constexpr std::size_t kShown = 10;
  std::uint64_t count = 0;
  std::vector<RoutingPoint> first;

  void add(const RoutingPoint& point) {
    if (++count <= kShown) first.push_back(point);
  }
};

/// What check_routing() found.
struct RoutingCheck {
  std::string relation;
  std::uint32_t n_vcs = 0;
  std::uint64_t pairs = 0;         ///< of two different nodes
  RoutingFindings unreachable;     ///< no channels lead there: said, but no fault of the relation
  RoutingFindings unrouted;        ///< channels lead there, but the relation has no way out
  RoutingFindings dead_ends;       ///< the relation leads to a node from which it has no way on
  RoutingFindings invalid;         ///< a hop that does not leave the node, or on no such VC
  RoutingFindings livelocks;       ///< a packet may come through the same hop again, for ever
  std::uint64_t used_vcs = 0;      ///< pairs of a channel and a VC that any packet may use
  std::uint64_t dependencies = 0;  ///< edges of the channel dependency graph
  std::vector<Hop> cycle;          ///< of that graph; empty: it has none

  [[nodiscard]] bool deadlock_free() const { return cycle.empty(); }
  /// Deadlock-free, and every pair that is joined at all is routed and arrives.
  [[nodiscard]] bool passed() const;
};

/// Follows `relation` from every node to every other one, over all choices that it allows, and
/// builds the channel dependency graph of it (Dally and Seitz 1987): an edge from each hop to each
/// that may come next. Without a cycle the relation cannot deadlock; with one, the shortest through
/// its first hop (in the order of channels) is the proof that it might.
/// Takes time in proportion to the hops that can be reached, summed over the destinations.
/// Throws std::invalid_argument for a topology of more than kMaxRoutedNodes nodes.
[[nodiscard]] RoutingCheck check_routing(const RoutingRelation& relation);

/// The findings as text for people, each line ended by a newline. The cycle stands as
/// "0->1 vc0, 1->0 vc0, back to 0->1 vc0".
[[nodiscard]] std::string routing_report(const BaseTopology& topology, const RoutingCheck& check);

/// The cycle as a list of channels, as in the report. It is not empty.
[[nodiscard]] std::string cycle_text(const BaseTopology& topology, const std::vector<Hop>& cycle);

}  // namespace kernbench::topology::zoo

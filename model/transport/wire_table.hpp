// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "common/units.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::transport {

/// How the wires of a graph are connected. Computed once; nothing in it changes during a run.
///
/// Followers. A node of a UCIe connection or PHY only passes flits on: no route begins or turns
/// back there. If all flits of a wire that leaves such a node enter the node by one other
/// wire, its leader, then the wire is a follower and carries the flits in the leader's order. So a
/// flit can take the follower at once when it takes the leader, before it has arrived there: no
/// other flit can come between. The times are the same as with an event at the node, without the
/// event.
class WireTable {
 public:
  /// `graph` must outlive the table.
  explicit WireTable(const topology::TopologyGraph& graph);

  [[nodiscard]] const topology::TopologyGraph& graph() const { return graph_; }
  [[nodiscard]] bool is_memory(topology::NodeId node) const;

  /// Returns the leader of a follower, nothing for other wires.
  [[nodiscard]] std::optional<topology::EdgeId> leader(topology::EdgeId wire) const;

  /// Returns how long after the arrival of a flit at the end of its route its receiver is notified
  /// at the latest: the overhead of a memory that has `wire` as its only input, else 0.
  ///
  /// The memory serves a flit when its overhead has elapsed, and computes that time from the time
  /// of arrival, so it loses nothing if it is notified up to that much later. Its flits arrive in
  /// the order of its only input. So one event reports all flits that arrived within the overhead.
  [[nodiscard]] common::SimTime notice_delay(topology::EdgeId wire) const;

  /// Returns the wire in the opposite direction. Links of fabrics have none: see carried_from().
  [[nodiscard]] topology::EdgeId reverse(topology::EdgeId wire) const {
    return reverse_[wire.value()];
  }

  /// Links of fabrics are not wires: a fabric carries flits from port to port.
  [[nodiscard]] bool is_carried(topology::EdgeId edge) const {
    return topology::is_carried(graph_.edge(edge).kind);
  }
  [[nodiscard]] bool has_fabric() const { return !carried_.empty(); }
  /// Returns a link of a fabric that leaves `port`. In a route, any of them stands for the whole
  /// way through the fabric.
  [[nodiscard]] topology::EdgeId carried_from(topology::NodeId port) const {
    return carried_.at(port);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  using WiresByEnd = std::vector<std::vector<std::uint32_t>>;

  void find_reverse_wires(const WiresByEnd& wires_to);
  void find_carried();
  void find_leaders(const WiresByEnd& wires_to);
  void find_sole_inputs(const WiresByEnd& wires_to);

  const topology::TopologyGraph& graph_;
  std::vector<std::uint32_t> leader_;      ///< by wire; kNone for wires without one
  std::vector<topology::EdgeId> reverse_;  ///< by wire; meaningless for links of fabrics
  std::vector<bool> is_sole_input_;        ///< by wire: the only one that leads to a memory
  std::map<topology::NodeId, topology::EdgeId> carried_;  ///< by port
};

}  // namespace kernbench::model::transport

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/outcome.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// A property of compiled graphs that is checked.
enum class StructureRule : std::uint8_t {
  Reachable,      ///< every node can be reached from the host CPU and can reach it
  PairedEdges,    ///< every edge has an opposite edge
  DataBandwidth,  ///< every edge outside the control plane has a bandwidth above 0
  DeadlockFree,   ///< the channel dependency graph has no cycle
};
/// Returns "reachable", "paired-edges", "data-bandwidth" or "deadlock".
[[nodiscard]] std::string_view name(StructureRule rule);

struct StructureFinding {
  StructureRule rule;
  std::string text;
};

/// Result of the checks.
struct StructureReport {
  std::vector<StructureFinding> findings;  ///< in the order of the rules
  std::uint64_t routes = 0;                ///< number of routes followed for channel dependencies
  std::uint64_t channels = 0;              ///< edges on any of these routes
  std::uint64_t dependencies = 0;

  /// Returns true if a rule other than DeadlockFree is violated. DeadlockFree only warns: queues of
  /// the model are unbounded, and the rule applies to hardware with finite buffers and no virtual
  /// channels.
  [[nodiscard]] bool broken() const;
  [[nodiscard]] bool deadlock_free() const;
  /// Returns Mismatch if it is broken, or with `strict` not free of deadlocks; Vacuous if no route
  /// was followed; else Pass.
  [[nodiscard]] common::Outcome outcome(bool strict) const;
};

/// Checks the graph itself, not the spec. The channel dependency graph (Dally and Seitz 1987)
/// covers PE DMA routes of every PE and host memory routes, from SIP 0 to the HBM of SIPs 0 and 1,
/// as all SIPs are identical. MAZE hops follow the links given by the fabric's dimension order.
/// Responses travel the same wires backwards and are not part of it: backwards, a graph has a cycle
/// exactly if it has one forwards.
[[nodiscard]] StructureReport check_structure(const TopologyGraph& graph);

}  // namespace kernbench::topology

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// What a compiled graph is checked for.
enum class StructureRule : std::uint8_t {
  Reachable,      ///< every node from the host CPU and back
  PairedEdges,    ///< every edge has an opposite
  DataBandwidth,  ///< every edge but those of the control plane has a bandwidth above 0
  DeadlockFree,   ///< the channel dependency graph has no cycle
};
/// "reachable", "paired-edges", "data-bandwidth", "deadlock"
[[nodiscard]] std::string_view name(StructureRule rule);

struct StructureFinding {
  StructureRule rule;
  std::string text;
};

/// What was looked at and what was found.
struct StructureReport {
  std::vector<StructureFinding> findings;  ///< in the order of the rules
  std::uint64_t routes = 0;                ///< whose channel dependencies were followed
  std::uint64_t channels = 0;              ///< edges on any of them
  std::uint64_t dependencies = 0;
  bool every_pe = true;  ///< false: only routes of PE 0 of each cube, as there are too many

  /// Whether a rule other than DeadlockFree is broken. Queues of the model are unbounded, so that
  /// one is a warning: it holds for hardware with finite buffers and no virtual channels.
  [[nodiscard]] bool broken() const;
  [[nodiscard]] bool deadlock_free() const;
};

/// Checks the graph itself, not the spec. The channel dependency graph (Dally and Seitz 1987) is
/// that of PE DMA and host memory routes of SIP 0 to the HBM of SIPs 0 and 1 (all SIPs are alike),
/// MAZE hops along the links of the fabric's dimension order.
[[nodiscard]] StructureReport check_structure(const TopologyGraph& graph);

}  // namespace kernbench::topology

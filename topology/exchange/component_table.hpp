#pragma once

#include <string>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

// What enters latencies beside nodes and edges, as JSON text for the export. Bandwidths and clocks
// are the shortest decimals that give the model's doubles back.

/// {"flit_bytes", "request_bytes", "wire": {"ns_per_mm"}}
[[nodiscard]] std::string system_json(const TopologyGraph& graph);

/// For each kind of component that has more than an overhead, and that the graph has nodes of, its
/// attributes, a kind a line: all nodes of a kind have the same.
[[nodiscard]] std::string components_json(const TopologyGraph& graph);

}  // namespace kernbench::topology

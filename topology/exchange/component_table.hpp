// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

// JSON text for the export: parameters that affect latencies and are not part of nodes and edges.
// Bandwidths and clocks are the shortest decimals that parse to the model's doubles.

/// Returns {"flit_bytes", "request_bytes", "wire": {"ns_per_mm"}}.
[[nodiscard]] std::string system_json(const TopologyGraph& graph);

/// Returns the attributes of each kind of component in the graph that has any besides its overhead,
/// one kind per line. All nodes of a kind have the same attributes.
[[nodiscard]] std::string components_json(const TopologyGraph& graph);

}  // namespace kernbench::topology

#pragma once

#include <ostream>

#include "common/report_envelope.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

// The flat graph for other tools: all nodes with name, kind, position and overhead, all directed
// edges with kind, bandwidth, length and what routing counts, in the order of their ids. Written
// element by element, so that a large graph is not in memory twice; the same graph gives the same
// text. Whether everything could be written is for the stream's owner to ask.

/// Graphviz. Positions are pinned at one inch per mm for `neato`; `dot` lays the graph out anew.
void to_dot(const TopologyGraph& graph, std::ostream& out);

/// GraphML with directed edges; node ids are the nodes' names.
void to_graphml(const TopologyGraph& graph, std::ostream& out);

/// A JSON artefact {schema, kind "topology", ..., data: {system, components, nodes, edges}}; it has
/// every parameter that enters a latency (docs/topology.md). `frame` gives outcome, seed, hash,
/// revision and command, its own kind and data do not matter.
void to_json(const TopologyGraph& graph, const common::ReportEnvelope& frame, std::ostream& out);

}  // namespace kernbench::topology

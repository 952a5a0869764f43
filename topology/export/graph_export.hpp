// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "common/report_envelope.hpp"
#include "plot/report_kind.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

// Writers of the flat graph for other tools. The output has all nodes with name, kind, position and
// overhead, and all directed edges with kind, bandwidth, length and routing weight, in the order of
// their ids. It is written element by element, so a large graph is not copied in memory. The same
// graph gives the same text. The caller checks the stream for write errors.

/// Writes Graphviz that names an engine (`layout=nop2`) which keeps the positions, an inch per mm.
void to_dot(const TopologyGraph& graph, std::ostream& out);

/// Writes GraphML with directed edges; node ids are node names.
void to_graphml(const TopologyGraph& graph, std::ostream& out);

/// The report of a graph, with every parameter that affects a latency (docs/topology.md).
extern const plot::ReportKind kTopologyReport;
/// Writes this report. Outcome, seed, hash, revision and command are taken from `frame`; its kind
/// and data are ignored.
void to_json(const TopologyGraph& graph, const common::ReportEnvelope& frame, std::ostream& out);

/// Returns the attributes of each kind of component in the graph that has any besides its overhead,
/// by the name of the kind, as the report has them.
[[nodiscard]] nlohmann::json component_attributes(const TopologyGraph& graph);

}  // namespace kernbench::topology

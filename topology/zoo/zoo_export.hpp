// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ostream>
#include <vector>

#include "common/report_envelope.hpp"
#include "plot/report_kind.hpp"
#include "topology/exchange/edge_list_import.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

// Writers of a base topology and its routes for other tools. Routes are written one at a time, as
// 4,096 nodes have 17 million. The same topology gives the same text. The caller checks the stream.

/// Returns the hops from `src` to `dst` that the relation prefers; empty if it has no path.
/// Throws std::invalid_argument if the preferred hops never arrive.
[[nodiscard]] std::vector<Hop> preferred_route(const RoutingRelation& relation, std::uint32_t src,
                                               std::uint32_t dst);

/// Returns the channels as a plain graph, which CSV and GraphML can express.
[[nodiscard]] ImportedGraph plain_graph(const BaseTopology& topology);

/// Writes the routes of all pairs as CSV: `src,dst,step,from,to,vc`, a line for each hop; with
/// parallel channels, `lane` follows, the number of such channels before it.
void to_routes_csv(const RoutingRelation& relation, std::ostream& out);

/// The report of a base topology with its routes (docs/topology.md).
extern const plot::ReportKind kBaseTopologyReport;
/// Writes this report. Outcome, hash, revision and command are taken from `frame`; its kind and
/// data are ignored.
void to_json(const RoutingRelation& relation, const common::ReportEnvelope& frame,
             std::ostream& out);

}  // namespace kernbench::topology::zoo

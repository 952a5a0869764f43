// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>

#include "model/chakra/replay.hpp"
#include "model/chakra/trace.hpp"
#include "model/trace/hop_trace.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::chakra {

/// Writes the timeline of a replay with spans, in the format of trace::TraceEventWriter: for each
/// rank a track of its computations, its host, its memory traffic and its communication, and the
/// tracks of all components that have `hops`. Times count from the start of the simulation. Beyond
/// 100,000 nodes the shortest are left out; returns a sentence that says so, or an empty text.
std::string write_timeline(const TraceSet& traces, const ReplayResult& result,
                           const topology::TopologyGraph& graph, const trace::HopTrace& hops,
                           std::ostream& out);

}  // namespace kernbench::model::chakra

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "model/data/op_log.hpp"
#include "model/trace/hop_trace.hpp"
#include "model/trace/trace_events.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::bench {

/// Writes the counters of each SIP's process: means over time steps of equal length. All counters
/// together have at most `steps` steps. The bytes of a DMA's stage are spread evenly over its
/// time, so the steps of a bandwidth add up to the bytes that the DMAs moved.
void write_counters(trace::TraceEventWriter& writer, const topology::TopologyGraph& graph,
                    const data::OpLog& log, const trace::HopTrace& hops, common::SimTime end,
                    std::size_t steps);

}  // namespace kernbench::model::bench

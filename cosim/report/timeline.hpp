#pragma once

#include <ostream>

#include "cosim/run/cosim.hpp"
#include "model/fabric/trace/packet_timeline.hpp"

namespace kernbench::cosim {

/// Writes what a workload did over the cycle reference, which was asked to follow all packets, as a
/// Trace Event JSON: of a machine its hops, and of the MAZE of each SIP the transfers and packets.
/// What is outside `window` is left out.
void write_cosim_timeline(const CosimResult& result, const topology::TopologyGraph& graph,
                          const model::fabric::TimeWindow& window, std::ostream& out);

}  // namespace kernbench::cosim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "cosim/run/cosim.hpp"
#include "model/fabric/trace/packet_timeline.hpp"

namespace kernbench::cosim {

/// Writes the run of a workload over the cycle reference as Trace Event JSON: the hops of a
/// machine, and the transfers and packets, or flits, in the fabric of each SIP. The run must have
/// traced all packets. Omits events outside `window`.
void write_timeline(const WorkloadResult& result, const topology::TopologyGraph& graph,
                    const model::fabric::TimeWindow& window, std::ostream& out);

}  // namespace kernbench::cosim

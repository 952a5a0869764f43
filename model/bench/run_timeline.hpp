// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "model/bench/runner.hpp"
#include "model/trace/chrome_timeline.hpp"

namespace kernbench::model::bench {

/// Limits of a timeline, which keep it below 20 MB.
struct TimelineLimits {
  std::size_t tracks = 400;
  std::size_t spans = 80'000;
  std::size_t arrows = 8'000;
  std::size_t counter_steps = 20'000;  ///< time steps of all counters of all SIPs together
};

/// Returns each rank's part in each measured region, by SIP.
[[nodiscard]] std::vector<trace::Span> region_spans(const RunResult& result);

/// Writes the timeline of a run with a log of operations, in the format of TraceEventWriter. Each
/// SIP is a process, with
///
/// - tracks of measured regions and launches, one for each cube with the kernels that ran on it,
///   and one for each PE with its kernels and, within them, their operations. Operations in flight
///   (tl.iload) have a track beside that of their PE. A kernel's span begins with its first
///   operation and ends with its last;
/// - arrows from sends to their receives;
/// - counters of the DMA's bandwidth, accesses at the HBM, messages at the PHYs between cubes, and
///   work that waits for an engine or a DMA: means over steps of equal length.
///
/// Copies of the host are a process of their own. Where a limit is exceeded, the tracks of PEs are
/// left out, then those of cubes; then the shortest spans; then the latest arrows. Returns
/// sentences that say so, which are also in the file; empty if nothing is left out.
std::string write_run_timeline(const RunResult& result, const topology::TopologyGraph& graph,
                               const trace::HopTrace& hops, std::ostream& out,
                               const TimelineLimits& limits = {});

}  // namespace kernbench::model::bench

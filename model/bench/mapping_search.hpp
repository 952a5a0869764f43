// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "common/described.hpp"
#include "common/units.hpp"
#include "model/bench/registry.hpp"
#include "model/bench/runner.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::bench {

/// A mapping and the time of the measured regions in it, from the start of the first to the end of
/// the last; of the whole run without regions.
struct TimedMapping {
  std::string name;  ///< "c=column, cubes=2x2", the parameters in place of "auto"
  common::SimTime time;
};

/// The mapping that was chosen because it takes the least time.
struct MappingChoice {
  TimedMapping chosen;
  std::optional<TimedMapping> next;  ///< the fastest of the others; none if no other can compete
  std::size_t simulated = 0;         ///< mappings that were simulated to their end, or until late
};

/// A run in the mapping that was chosen for it.
struct MappedRun {
  RunResult result;
  RunOptions options;                    ///< with the parameters that were chosen
  std::optional<MappingChoice> mapping;  ///< not set if nothing is "auto"
};

/// Runs a bench in its fastest mapping. What "auto" stands for is found by simulating the bench in
/// its mappings (Bench::mappings), and on smaller parts of the SIPs: first as run_bench() takes it,
/// then each other that its traffic and the peak rates of the machine do not exclude, until it is
/// later than the best. Another mapping is taken only if it is more than kWorthwhile faster, and
/// the runs are those without delays. The result follows from the arguments alone, with any number
/// of `jobs`. Throws as run_bench() does.
[[nodiscard]] MappedRun run_mapped(const Bench& bench, const topology::TopologyGraph& graph,
                                   const RunOptions& options, unsigned jobs);

/// Returns the time from the start of the first measured region to the end of the last, or of the
/// run without regions.
[[nodiscard]] common::SimTime span_of(const RunResult& result);

/// Share of a time below which a difference of mappings is not worth another one than the default.
inline constexpr double kWorthwhile = 0.02;

}  // namespace kernbench::model::bench

template <>
const kernbench::common::Description<kernbench::model::bench::MappingChoice>&
kernbench::common::description_of();

#pragma once

#include <ostream>
#include <span>
#include <string>

#include "model/trace/hop_trace.hpp"

namespace kernbench::model::trace {

/// The hops of one simulation under a title.
struct Timeline {
  std::string title;
  const topology::TopologyGraph* graph = nullptr;
  const HopTrace* trace = nullptr;
};

/// Writes Trace Event JSON, which Perfetto and chrome://tracing open: a process for each timeline,
/// in it a track for each component that did something, and a slice for each hop with its
/// transaction, its wait and the reason. Hops that overlap at a component have tracks "name #2",
/// "name #3", ... of their own, as slices of one track may not. Times are microseconds, exact to
/// the picosecond.
void write_chrome_timelines(std::span<const Timeline> timelines, std::ostream& out);

}  // namespace kernbench::model::trace

#pragma once

#include <cstddef>
#include <ostream>
#include <span>
#include <string>

#include "model/trace/hop_trace.hpp"
#include "model/trace/trace_events.hpp"

namespace kernbench::model::trace {

/// The hops of one simulation under a title.
struct Timeline {
  std::string title;
  const topology::TopologyGraph* graph = nullptr;
  const HopTrace* trace = nullptr;
};

/// Writes the hops of a simulation as a process of a trace: in it a track for each component that
/// did something, and a slice for each hop with its transaction, its wait and the reason. Hops that
/// overlap at a component have tracks "name #2", "name #3", ... of their own.
void write_timeline(TraceEventWriter& writer, std::size_t process, const Timeline& timeline);

/// Writes a trace with a process for each timeline.
void write_chrome_timelines(std::span<const Timeline> timelines, std::ostream& out);

}  // namespace kernbench::model::trace

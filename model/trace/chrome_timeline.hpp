// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "model/trace/hop_trace.hpp"
#include "model/trace/trace_events.hpp"

namespace kernbench::model::trace {

/// A slice of a timeline on a track that is not a component's.
struct Span {
  std::string track;
  std::string name;
  common::SimTime begin;
  common::SimTime end;
};

/// The hops of one simulation, and the title of their process in a trace.
struct Timeline {
  std::string title;
  const topology::TopologyGraph* graph = nullptr;
  const HopTrace* trace = nullptr;
  std::vector<Span> spans{};  ///< by track and begin
};

/// Writes the hops of a simulation as process number `process` of a trace. The process has the
/// tracks of its spans, then a track for each component with hops, and a slice for each hop with
/// its transaction, its wait and the reason. Overlapping hops of a component get the extra tracks
/// "name #2", "name #3", ...
void write_timeline(TraceEventWriter& writer, std::size_t process, const Timeline& timeline);

/// Writes a trace with one process for each timeline.
void write_chrome_timelines(std::span<const Timeline> timelines, std::ostream& out);

}  // namespace kernbench::model::trace

#pragma once

#include <string_view>

#include "sim/trace/trace_builder.hpp"

namespace kernbench::sim {

inline constexpr std::string_view kTraceCsvHeader = "cycle,node,port,packet";

/// Reads a link-trace in CSV; errors go into `trace`, too.
void read_link_trace_csv(std::string_view text, TraceBuilder& trace);

}  // namespace kernbench::sim

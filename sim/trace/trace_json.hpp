// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "sim/trace/trace_builder.hpp"

namespace kernbench::sim {

/// Reads a trace in JSON and adds entries and errors to `trace`.
void read_trace_json(std::string_view text, TraceBuilder& trace);

}  // namespace kernbench::sim

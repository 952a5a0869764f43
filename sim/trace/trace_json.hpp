// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "common/value_form.hpp"
#include "sim/trace/trace_builder.hpp"

namespace kernbench::sim {

/// Returns the form of a trace in JSON whose entries have the form `record`.
[[nodiscard]] common::ValueForm form_of_trace(const TraceFormat& format,
                                              const common::ValueForm& record);

/// Reads a trace in JSON and adds entries and errors to `trace`.
void read_trace_json(std::string_view text, TraceBuilder& trace);

}  // namespace kernbench::sim

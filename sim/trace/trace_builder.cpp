// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/trace_builder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "common/numbers.hpp"
#include "sim/trace/trace_csv.hpp"
#include "sim/trace/trace_json.hpp"

namespace kernbench::sim {

std::string TraceFormat::csv_header() const {
  return fmt::format("{}", fmt::join(fields, ","));
}

TraceBuilder::TraceBuilder(const TraceFormat& format, std::string file, std::string_view text)
    : format_(format), file_(std::move(file)) {
  diagnostics_.add_source(file_, text);
}

void TraceBuilder::error(unsigned line, unsigned column, std::string message, std::string hint) {
  diagnostics_.error({file_, line, column}, std::move(message), std::move(hint));
}

void TraceBuilder::error(const TraceText& text, std::string message, std::string hint) {
  error(text.line, text.column, std::move(message), std::move(hint));
}

std::optional<std::uint64_t> TraceBuilder::number(std::size_t field, const TraceText& text) {
  const auto value = common::parse_u64(text.text);
  if (!value) {
    error(text, fmt::format("{} '{}' is not an unsigned integer", format_.fields[field], text.text),
          "decimal digits, or hexadecimal ones after 0x");
  }
  return value;
}

void TraceBuilder::throw_if_bad(bool is_empty) {
  if (hopeless()) error(0, 0, "too many errors, the rest was not read");
  if (diagnostics_.empty() && is_empty) {
    error(0, 0, fmt::format("the trace has no {}s", format_.record));
  }
  diagnostics_.throw_if_any();
}

void read_trace(std::string_view text, std::string_view name, TraceBuilder& trace) {
  if (name.ends_with(".csv")) {
    read_trace_csv(text, trace);
  } else if (name.ends_with(".json")) {
    read_trace_json(text, trace);
  } else {
    trace.error(0, 0, "the name of a trace must end in .csv or .json");
  }
}

}  // namespace kernbench::sim

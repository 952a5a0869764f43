// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/trace_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/text_distance.hpp"

namespace kernbench::sim {

namespace {

/// Removes everything up to and including `separator` from the front of `text`.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return taken;
}

void read_line(std::string_view line, unsigned number, TraceBuilder& trace) {
  std::vector<TraceText> fields(trace.format().fields.size());
  unsigned column = 1;
  std::size_t count = 0;
  for (bool more = true; more && count < fields.size(); ++count) {
    more = line.find(',') != std::string_view::npos;
    fields[count] = {std::string(take(line, ',')), number, column};
    column += static_cast<unsigned>(fields[count].text.size()) + 1;
    if (!more && count + 1 < fields.size()) {
      trace.error(number, 1, fmt::format("the line has {} of {} fields", count + 1, fields.size()),
                  trace.format().csv_header());
      return;
    }
    if (more && count + 1 == fields.size()) {
      trace.error(number, column - 1, fmt::format("',{}' after the last field", line),
                  trace.format().csv_header());
      return;
    }
  }
  trace.add(fields);
}

/// Reports the unknown columns, or a missing header when all columns are unknown.
bool read_header(std::string_view line, TraceBuilder& trace) {
  const std::string header = trace.format().csv_header();
  if (line == header) return true;
  const auto known = trace.format().fields;
  std::vector<TraceText> unknown;
  bool any_known = false;
  unsigned column = 1;
  for (std::string_view rest = line; !rest.empty();) {
    const std::string_view name = take(rest, ',');
    if (std::ranges::find(known, name) != known.end()) {
      any_known = true;
    } else {
      unknown.push_back({std::string(name), 1, column});
    }
    column += static_cast<unsigned>(name.size()) + 1;
  }
  if (!any_known || unknown.empty()) {
    trace.error(1, 1, fmt::format("the first line must be '{}'", header));
    return false;
  }
  for (const TraceText& name : unknown) {
    const auto nearest = common::nearest_name(name.text, known);
    trace.error(name.line, name.column, fmt::format("unknown column '{}'", name.text),
                nearest ? fmt::format("did you mean '{}'?", *nearest) : header);
  }
  return false;
}

}  // namespace

void read_trace_csv(std::string_view text, TraceBuilder& trace) {
  for (unsigned number = 1; !text.empty() && !trace.hopeless(); ++number) {
    std::string_view line = take(text, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number > 1) {
      read_line(line, number, trace);
    } else if (!read_header(line, trace)) {
      return;
    }
  }
}

}  // namespace kernbench::sim

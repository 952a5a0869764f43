#include "sim/trace/link_trace_csv.hpp"

#include <fmt/format.h>

#include <utility>

namespace kernbench::sim {

namespace {

/// Takes everything up to `separator` off the front of `text`, and the separator with it.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return taken;
}

void read_line(std::string_view line, unsigned number, TraceBuilder& trace) {
  std::array<TraceText, kTraceFields> fields;
  unsigned column = 1;
  std::size_t count = 0;
  for (bool more = true; more && count < fields.size(); ++count) {
    more = line.find(',') != std::string_view::npos;
    fields[count] = {std::string(take(line, ',')), number, column};
    column += static_cast<unsigned>(fields[count].text.size()) + 1;
    if (!more && count + 1 < fields.size()) {
      trace.error(number, 1, fmt::format("the line has {} of 4 fields", count + 1),
                  std::string(kTraceCsvHeader));
      return;
    }
    if (more && count + 1 == fields.size()) {
      trace.error(number, column - 1, fmt::format("',{}' after the last field", line),
                  std::string(kTraceCsvHeader));
      return;
    }
  }
  trace.add(fields);
}

}  // namespace

void read_link_trace_csv(std::string_view text, TraceBuilder& trace) {
  for (unsigned number = 1; !text.empty() && !trace.hopeless(); ++number) {
    std::string_view line = take(text, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number > 1) {
      read_line(line, number, trace);
    } else if (line != kTraceCsvHeader) {
      trace.error(1, 1, fmt::format("the first line must be '{}'", kTraceCsvHeader));
      return;
    }
  }
}

}  // namespace kernbench::sim

#include "sim/trace/link_trace.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "sim/trace/link_trace_csv.hpp"
#include "sim/trace/link_trace_json.hpp"
#include "sim/trace/trace_builder.hpp"

namespace kernbench::sim {

using model::maze::Shape;

std::vector<TraceEntry> read_link_trace(const std::string& path, const Shape& shape) {
  return parse_link_trace(common::read_text_file(path), path, shape);
}

std::vector<TraceEntry> parse_link_trace(std::string_view text, const std::string& name,
                                         const Shape& shape) {
  TraceBuilder trace(name, text, shape);
  if (name.ends_with(".csv")) {
    read_link_trace_csv(text, trace);
  } else if (name.ends_with(".json")) {
    read_link_trace_json(text, trace);
  } else {
    trace.error(0, 0, "the name of a trace must end in .csv or .json");
  }
  return trace.finish();
}

LinkTraceWriter::LinkTraceWriter(std::ostream& out, const Shape& shape) : out_(out), shape_(shape) {
  out_ << kTraceCsvHeader << '\n';
}

void LinkTraceWriter::write(const TraceEntry& entry) {
  fmt::print(out_, "{},{},{},0x{:0{}x}\n", entry.cycle, entry.node,
             trace_port_name(entry.port, shape_), entry.packet, (shape_.payload_w() + 3) / 4);
}

}  // namespace kernbench::sim

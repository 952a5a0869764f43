// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/link_trace.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "common/text_file.hpp"
#include "sim/trace/link_trace_builder.hpp"

namespace kernbench::sim {

using maze::Shape;

std::string trace_port_name(unsigned port, const Shape& shape) {
  return port < shape.x_ports() ? fmt::format("x[{}]", port)
                                : fmt::format("y[{}]", port - shape.x_ports());
}

std::vector<TraceEntry> read_link_trace(const std::string& path, const Shape& shape) {
  return parse_link_trace(common::read_text_file(path), path, shape);
}

std::vector<TraceEntry> parse_link_trace(std::string_view text, const std::string& name,
                                         const Shape& shape) {
  LinkTraceBuilder trace(name, text, shape);
  read_trace(text, name, trace);
  return trace.finish();
}

LinkTraceWriter::LinkTraceWriter(std::ostream& out, const Shape& shape) : out_(out), shape_(shape) {
  out_ << kLinkTraceFormat.csv_header() << '\n';
}

void LinkTraceWriter::write(const TraceEntry& entry) {
  fmt::print(out_, "{},{},{},0x{:0{}x}\n", entry.cycle, entry.node,
             trace_port_name(entry.port, shape_), entry.packet, (shape_.payload_w() + 3) / 4);
}

}  // namespace kernbench::sim

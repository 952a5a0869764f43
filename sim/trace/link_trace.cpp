// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/link_trace.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <variant>

#include "common/description.hpp"
#include "common/numbers.hpp"
#include "common/text_file.hpp"
#include "sim/trace/link_trace_builder.hpp"
#include "sim/trace/trace_json.hpp"

namespace kernbench::sim {
namespace {

/// An entry of a file in JSON.
struct LinkTraceRecord {
  std::uint64_t cycle = 0;
  unsigned node = 0;
  std::string port;
  std::variant<std::uint64_t, std::string> packet;
};

bool is_trace_port(std::string_view text) {
  if (text.empty() || (text[0] != 'x' && text[0] != 'y')) return false;
  text.remove_prefix(1);
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_trace_packet(std::string_view text) {
  return common::parse_u64(text).has_value();
}

constexpr common::TextRule kTracePortRule = {R"(^[xy](\[[0-9]+\]|[0-9]+)$)", "a port, such as x[3]",
                                             is_trace_port};
}  // namespace

const common::TextRule kPacketRule = {"^(0x[0-9a-fA-F]+|[0-9]+)$",
                                      R"(a number as text, such as "0x1a2b3c")", is_trace_packet};

}  // namespace kernbench::sim

namespace kernbench::common {

using sim::LinkTraceRecord;

template <>
const Description<LinkTraceRecord>& description_of() {
  static const auto kAll =
      Description<LinkTraceRecord>()
          .add("cycle", &LinkTraceRecord::cycle)
          .add("node", &LinkTraceRecord::node, "node that sends")
          .within(0, 255)
          .add("port", &LinkTraceRecord::port, "its output")
          .rule(sim::kTracePortRule)
          .add("packet", &LinkTraceRecord::packet)
          .refine([](ValueForm& packet) { packet.parts.at(1).rule = &sim::kPacketRule; });
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::sim {
namespace {

const common::ValueForm& form_of_link_trace() {
  static const common::ValueForm kForm =
      form_of_trace(kLinkTraceFormat, common::form_of<LinkTraceRecord>());
  return kForm;
}

}  // namespace

using maze::Shape;

const common::InputKind kLinkTraceFile = {
    .name = kLinkTraceFormat.kind,
    .title = "A link-trace in JSON: packets by cycle, sending node and port",
    .form = form_of_link_trace};

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

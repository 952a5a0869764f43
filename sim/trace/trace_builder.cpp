#include "sim/trace/trace_builder.hpp"

#include <fmt/format.h>

#include <utility>

#include "common/numbers.hpp"

namespace kernbench::sim {

using model::maze::Payload;
using model::maze::Shape;

std::string trace_port_name(unsigned port, const Shape& shape) {
  return port < shape.x_ports() ? fmt::format("x[{}]", port)
                                : fmt::format("y[{}]", port - shape.x_ports());
}

TraceBuilder::TraceBuilder(std::string file, std::string_view text, const Shape& shape)
    : file_(std::move(file)), shape_(shape), last_(shape.links()) {
  diagnostics_.add_source(file_, text);
}

void TraceBuilder::error(unsigned line, unsigned column, std::string message, std::string hint) {
  diagnostics_.error({file_, line, column}, std::move(message), std::move(hint));
}

void TraceBuilder::add(const std::array<TraceText, kTraceFields>& fields) {
  const auto at_cycle = number(kCycleField, fields[kCycleField]);
  const auto at_node = node(fields[kNodeField]);
  const auto at_port = port(fields[kPortField]);
  const auto with_packet = packet(fields[kPacketField]);
  if (!at_cycle || !at_node || !at_port || !with_packet) return;

  auto& last = last_[std::size_t{*at_port} * shape_.nodes() + *at_node];
  const TraceText& place = fields[kCycleField];
  if (last && *at_cycle <= last->cycle) {
    error(place.line, place.column,
          fmt::format("cycle {} does not ascend: node {} {} had a packet in cycle {} (line {})",
                      *at_cycle, *at_node, trace_port_name(*at_port, shape_), last->cycle,
                      last->line));
    return;
  }
  last = LastEntry{*at_cycle, place.line};
  entries_.push_back({*at_cycle, *at_node, *at_port, *with_packet});
}

std::vector<TraceEntry> TraceBuilder::finish() {
  if (hopeless()) error(0, 0, "too many errors, the rest was not read");
  if (diagnostics_.empty() && entries_.empty()) error(0, 0, "the trace has no packets");
  diagnostics_.throw_if_any();
  return std::move(entries_);
}

std::optional<std::uint64_t> TraceBuilder::number(TraceField field, const TraceText& text) {
  const auto value = common::parse_u64(text.text);
  if (!value) {
    error(text.line, text.column,
          fmt::format("{} '{}' is no unsigned integer", kTraceFieldNames[field], text.text),
          "decimal digits, or hexadecimal ones after 0x");
  }
  return value;
}

std::optional<unsigned> TraceBuilder::node(const TraceText& text) {
  const auto value = number(kNodeField, text);
  if (!value) return std::nullopt;
  if (*value >= shape_.nodes()) {
    error(text.line, text.column,
          fmt::format("node {} does not exist in a {}x{} fabric", *value, shape_.nx, shape_.ny),
          fmt::format("0 to {}", shape_.nodes() - 1));
    return std::nullopt;
  }
  return static_cast<unsigned>(*value);
}

std::optional<unsigned> TraceBuilder::port(const TraceText& text) {
  std::string_view index = text.text;
  const char dimension = index.empty() ? '\0' : index.front();
  if (!index.empty()) index.remove_prefix(1);
  if (index.starts_with('[') && index.ends_with(']')) index = index.substr(1, index.size() - 2);
  const auto value = common::parse_u64(index);
  const bool decimal = !index.starts_with("0x");
  if (value && decimal && dimension == 'x' && *value < shape_.x_ports()) {
    return static_cast<unsigned>(*value);
  }
  if (value && decimal && dimension == 'y' && *value < shape_.y_ports()) {
    return shape_.x_ports() + static_cast<unsigned>(*value);
  }
  error(text.line, text.column,
        fmt::format("port '{}' does not exist in a {}x{} fabric", text.text, shape_.nx, shape_.ny),
        fmt::format("x[0] to x[{}] or y[0] to y[{}]", shape_.x_ports() - 1, shape_.y_ports() - 1));
  return std::nullopt;
}

std::optional<Payload> TraceBuilder::packet(const TraceText& text) {
  const auto value = number(kPacketField, text);
  if (!value) return std::nullopt;
  if (*value >> shape_.payload_w() != 0) {
    error(text.line, text.column,
          fmt::format("packet 0x{:x} is wider than the payload's {} bits", *value,
                      shape_.payload_w()),
          fmt::format("at most 0x{:x}", (Payload{1} << shape_.payload_w()) - 1));
    return std::nullopt;
  }
  return value;
}

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/link_trace_builder.hpp"

#include <fmt/format.h>

#include <utility>

#include "common/numbers.hpp"

namespace kernbench::sim {

using maze::Payload;
using maze::Shape;

LinkTraceBuilder::LinkTraceBuilder(std::string file, std::string_view text, const Shape& shape)
    : TraceBuilder(kLinkTraceFormat, std::move(file), text), shape_(shape), last_(shape.links()) {}

void LinkTraceBuilder::add(std::span<const TraceText> fields) {
  const auto at_cycle = number(kCycleField, fields[kCycleField]);
  const auto at_node = node(fields[kNodeField]);
  const auto at_port = port(fields[kPortField]);
  const auto with_packet = packet(fields[kPacketField]);
  if (!at_cycle || !at_node || !at_port || !with_packet) return;

  auto& last = last_[std::size_t{*at_port} * shape_.nodes() + *at_node];
  const TraceText& place = fields[kCycleField];
  if (last && *at_cycle <= last->cycle) {
    error(place,
          fmt::format("cycle {} does not ascend: node {} {} had a packet in cycle {} (line {})",
                      *at_cycle, *at_node, trace_port_name(*at_port, shape_), last->cycle,
                      last->line));
    return;
  }
  last = LastEntry{*at_cycle, place.line};
  entries_.push_back({*at_cycle, *at_node, *at_port, *with_packet});
}

std::vector<TraceEntry> LinkTraceBuilder::finish() {
  throw_if_bad(entries_.empty());
  return std::move(entries_);
}

std::optional<unsigned> LinkTraceBuilder::node(const TraceText& text) {
  const auto value = number(kNodeField, text);
  if (!value) return std::nullopt;
  if (*value >= shape_.nodes()) {
    error(text,
          fmt::format("node {} does not exist in a {}x{} fabric", *value, shape_.nx, shape_.ny),
          fmt::format("0 to {}", shape_.nodes() - 1));
    return std::nullopt;
  }
  return static_cast<unsigned>(*value);
}

std::optional<unsigned> LinkTraceBuilder::port(const TraceText& text) {
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
  error(text,
        fmt::format("port '{}' does not exist in a {}x{} fabric", text.text, shape_.nx, shape_.ny),
        fmt::format("x[0] to x[{}] or y[0] to y[{}]", shape_.x_ports() - 1, shape_.y_ports() - 1));
  return std::nullopt;
}

std::optional<Payload> LinkTraceBuilder::packet(const TraceText& text) {
  const auto value = number(kPacketField, text);
  if (!value) return std::nullopt;
  if (*value >> shape_.payload_w() != 0) {
    error(text,
          fmt::format("packet 0x{:x} is wider than the payload's {} bits", *value,
                      shape_.payload_w()),
          fmt::format("at most 0x{:x}", (Payload{1} << shape_.payload_w()) - 1));
    return std::nullopt;
  }
  return value;
}

}  // namespace kernbench::sim

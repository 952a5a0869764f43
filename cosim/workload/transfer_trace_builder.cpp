// SPDX-License-Identifier: Apache-2.0
#include "cosim/workload/transfer_trace_builder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "common/enum_names.hpp"
#include "common/text_distance.hpp"
#include "cosim/workload/transfer_trace.hpp"

namespace kernbench::cosim {

using common::SimTime;
using model::fabric::kMaxTransferBytes;
using model::fabric::TimedTransfer;
using model::fabric::TransferType;

namespace {

template <typename E, std::size_t N>
std::optional<E> named(const std::array<common::EnumName<E>, N>& table, TransferTraceField field,
                       const sim::TraceText& text, sim::TraceBuilder& trace) {
  for (const auto& [name, value] : table) {
    if (name == text.text) return value;
  }
  const auto names = common::names_of(table);
  const auto nearest = common::nearest_name(text.text, names);
  trace.error(text.line, text.column,
              fmt::format("{} '{}' does not exist", kTransferTraceFields[field], text.text),
              nearest ? fmt::format("did you mean '{}'?", *nearest)
                      : fmt::format("one of {}", fmt::join(names, ", ")));
  return std::nullopt;
}

}  // namespace

TransferTraceBuilder::TransferTraceBuilder(std::string file, std::string_view text,
                                           std::uint32_t nodes)
    : sim::TraceBuilder(kTransferTraceFormat, std::move(file), text), nodes_(nodes) {}

void TransferTraceBuilder::add(std::span<const sim::TraceText> fields) {
  const auto at = time(fields[kTimeField]);
  const auto src = node(kSrcField, fields[kSrcField]);
  const auto type = named(model::fabric::kTransferTypeNames, kTypeField, fields[kTypeField], *this);
  const auto dst = destination(type, fields[kDstField]);
  const auto size = bytes(fields[kBytesField]);
  const auto qos = named(model::fabric::kQosNames, kQosField, fields[kQosField], *this);
  if (!at || !src || !dst || !size || !qos || !type) return;
  transfers_.push_back(
      {.at = *at, .src = *src, .dst = *dst, .type = *type, .qos = *qos, .bytes = *size});
}

std::vector<TimedTransfer> TransferTraceBuilder::finish() {
  throw_if_bad(transfers_.empty());
  return std::move(transfers_);
}

std::optional<SimTime> TransferTraceBuilder::time(const sim::TraceText& text) {
  const auto value = number(kTimeField, text);
  if (!value) return std::nullopt;
  if (*value > static_cast<std::uint64_t>(kLatestTransfer.ps())) {
    error(text, fmt::format("time_ps {} is too late", *value),
          fmt::format("at most {}", kLatestTransfer.ps()));
    return std::nullopt;
  }
  const SimTime at = SimTime::from_ps(static_cast<std::int64_t>(*value));
  if (at < last_time_) {
    error(
        text,
        fmt::format("time_ps {} is before the {} of line {}", at.ps(), last_time_.ps(), last_line_),
        "transfers in time order");
    return std::nullopt;
  }
  last_time_ = at;
  last_line_ = text.line;
  return at;
}

std::optional<std::uint32_t> TransferTraceBuilder::node(TransferTraceField field,
                                                        const sim::TraceText& text) {
  const auto value = number(field, text);
  if (!value) return std::nullopt;
  if (*value >= nodes_) {
    error(text,
          fmt::format("{} {} does not exist in a fabric of {} nodes", kTransferTraceFields[field],
                      *value, nodes_),
          fmt::format("0 to {}", nodes_ - 1));
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(*value);
}

std::optional<std::uint32_t> TransferTraceBuilder::destination(std::optional<TransferType> type,
                                                               const sim::TraceText& text) {
  if (!text.text.empty()) {
    const auto dst = node(kDstField, text);
    // A broadcast ignores its dst: store the same value for all.
    return dst && type == TransferType::Broadcast ? 0 : dst;
  }
  if (type && type != TransferType::Broadcast) {
    error(text,
          fmt::format("{} needs a dst", type == TransferType::Unicast ? "a unicast"
                                        : type == TransferType::XMulticast
                                            ? "an x_multicast, to the column of dst,"
                                            : "a y_multicast, to the row of dst,"),
          fmt::format("0 to {}", nodes_ - 1));
    return std::nullopt;
  }
  return 0;
}

std::optional<std::uint64_t> TransferTraceBuilder::bytes(const sim::TraceText& text) {
  const auto value = number(kBytesField, text);
  if (value && (*value == 0 || *value > kMaxTransferBytes)) {
    error(text, fmt::format("a transfer cannot have {} bytes", *value),
          fmt::format("1 to {}", kMaxTransferBytes));
    return std::nullopt;
  }
  return value;
}

}  // namespace kernbench::cosim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/fabric/traffic/transfer_list.hpp"
#include "sim/trace/trace_builder.hpp"

namespace kernbench::cosim {

enum TransferTraceField : unsigned {
  kTimeField,
  kSrcField,
  kDstField,
  kBytesField,
  kQosField,
  kTypeField
};
inline constexpr std::array<std::string_view, 6> kTransferTraceFields = {"time_ps", "src", "dst",
                                                                         "bytes",   "qos", "type"};
inline constexpr sim::TraceFormat kTransferTraceFormat = {
    .kind = "transfer-trace",
    .record = "transfer",
    .fields = kTransferTraceFields,
    .may_be_text = 1U << kQosField | 1U << kTypeField,
    .may_be_missing = 1U << kDstField,
    .json_example =
        R"({"kind": "transfer-trace", "data": [{"time_ps": 0, "src": 0, "dst": 1, "bytes": 1, "qos": "low", "type": "unicast"}]})"};

/// Checks the transfers of a transfer-trace.
class TransferTraceBuilder final : public sim::TraceBuilder {
 public:
  TransferTraceBuilder(std::string file, std::string_view text, std::uint32_t nodes);

  void add(std::span<const sim::TraceText> fields) override;
  /// Returns the added transfers. Throws common::BadInput with all errors if there were any.
  [[nodiscard]] std::vector<model::fabric::TimedTransfer> finish();

 private:
  std::optional<common::SimTime> time(const sim::TraceText& text);
  std::optional<std::uint32_t> node(TransferTraceField field, const sim::TraceText& text);
  std::optional<std::uint32_t> destination(std::optional<model::fabric::TransferType> type,
                                           const sim::TraceText& text);
  std::optional<std::uint64_t> bytes(const sim::TraceText& text);

  std::uint32_t nodes_;
  std::vector<model::fabric::TimedTransfer> transfers_;
  common::SimTime last_time_;
  unsigned last_line_ = 0;
};

}  // namespace kernbench::cosim

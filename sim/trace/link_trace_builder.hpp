// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/trace/link_trace.hpp"
#include "sim/trace/trace_builder.hpp"

namespace kernbench::sim {

enum LinkTraceField : unsigned { kCycleField, kNodeField, kPortField, kPacketField };
inline constexpr std::array<std::string_view, 4> kLinkTraceFields = {"cycle", "node", "port",
                                                                     "packet"};
inline constexpr TraceFormat kLinkTraceFormat = {
    .kind = "link-trace",
    .record = "packet",
    .fields = kLinkTraceFields,
    .may_be_text = 1U << kPortField | 1U << kPacketField,
    .json_example =
        R"({"kind": "link-trace", "data": [{"cycle": 0, "node": 0, "port": "x[0]", "packet": "0x0"}]})"};

/// Checks the packets of a link-trace.
class LinkTraceBuilder final : public TraceBuilder {
 public:
  LinkTraceBuilder(std::string file, std::string_view text, const maze::Shape& shape);

  void add(std::span<const TraceText> fields) override;
  /// Returns the added entries. Throws common::BadInput with all errors if there were any.
  [[nodiscard]] std::vector<TraceEntry> finish();

 private:
  /// The last entry added for a link.
  struct LastEntry {
    std::uint64_t cycle;
    unsigned line;
  };

  std::optional<unsigned> node(const TraceText& text);
  std::optional<unsigned> port(const TraceText& text);
  std::optional<maze::Payload> packet(const TraceText& text);

  maze::Shape shape_;
  std::vector<TraceEntry> entries_;
  std::vector<std::optional<LastEntry>> last_;  ///< [port*nodes + node]
};

}  // namespace kernbench::sim

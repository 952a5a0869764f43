// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "common/input_kind.hpp"
#include "maze/link_frame.hpp"

namespace kernbench::sim {

/// One packet of a link-trace, on the link that leaves `node` by `port`.
struct TraceEntry {
  std::uint64_t cycle = 0;
  unsigned node = 0;
  unsigned port = 0;  ///< X ports first
  maze::Payload packet = 0;
  friend bool operator==(const TraceEntry&, const TraceEntry&) = default;
};

extern const common::InputKind kLinkTraceFile;
/// The rule for a packet that is a text.
extern const common::TextRule kPacketRule;

/// Returns the name of a port in traces, e.g. "x[3]".
[[nodiscard]] std::string trace_port_name(unsigned port, const maze::Shape& shape);

/// Reads a link-trace, in file order. The extension, .csv or .json, selects the format.
/// CSV: the header `cycle,node,port,packet`, then one packet per line, e.g. `12,5,x[3],0x1a2b3c`.
/// JSON: the report envelope with kind "link-trace" and, as data, a list of
/// {"cycle": 12, "node": 5, "port": "x[3]", "packet": "0x1a2b3c"}; only kind and data of the
/// envelope are required. A port may also be written x3. The cycles of a link must ascend. Throws
/// common::BadInput with all errors, each with its line and column.
[[nodiscard]] std::vector<TraceEntry> read_link_trace(const std::string& path,
                                                      const maze::Shape& shape);

/// Reads a link-trace from memory. `name` is the file name in messages and selects the format.
[[nodiscard]] std::vector<TraceEntry> parse_link_trace(std::string_view text,
                                                       const std::string& name,
                                                       const maze::Shape& shape);

/// Writes a link-trace as CSV, entry by entry, to a stream that must outlive the writer.
class LinkTraceWriter {
 public:
  /// Writes the header.
  LinkTraceWriter(std::ostream& out, const maze::Shape& shape);
  void write(const TraceEntry& entry);

 private:
  std::ostream& out_;
  maze::Shape shape_;
};

}  // namespace kernbench::sim

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/diagnostics.hpp"
#include "model/maze/link_frame.hpp"
#include "sim/trace/link_trace.hpp"

namespace kernbench::sim {

/// The fields of a trace entry, in the order in which CSV has them.
enum TraceField { kCycleField, kNodeField, kPortField, kPacketField, kTraceFields };
inline constexpr std::array<std::string_view, kTraceFields> kTraceFieldNames = {"cycle", "node",
                                                                                "port", "packet"};

/// A value as it is written in a trace file, and where.
struct TraceText {
  std::string text;
  unsigned line = 0;
  unsigned column = 0;
};

/// "x[3]", as traces name the ports of a node.
[[nodiscard]] std::string trace_port_name(unsigned port, const model::maze::Shape& shape);

/// Turns the texts of a trace file into checked entries; both formats are read into it.
class TraceBuilder {
 public:
  TraceBuilder(std::string file, std::string_view text, const model::maze::Shape& shape);

  void error(unsigned line, unsigned column, std::string message, std::string hint = {});
  void add(const std::array<TraceText, kTraceFields>& fields);
  /// True when so many errors were found that reading on would help nobody.
  [[nodiscard]] bool hopeless() const { return diagnostics_.size() >= kMaxErrors; }
  /// What was added; throws common::BadInput with all errors if there were any.
  [[nodiscard]] std::vector<TraceEntry> finish();

 private:
  static constexpr std::size_t kMaxErrors = 100;
  /// The entry added last for a link.
  struct LastEntry {
    std::uint64_t cycle;
    unsigned line;
  };

  std::optional<std::uint64_t> number(TraceField field, const TraceText& text);
  std::optional<unsigned> node(const TraceText& text);
  std::optional<unsigned> port(const TraceText& text);
  std::optional<model::maze::Payload> packet(const TraceText& text);

  std::string file_;
  model::maze::Shape shape_;
  common::Diagnostics diagnostics_;
  std::vector<TraceEntry> entries_;
  std::vector<std::optional<LastEntry>> last_;  ///< [port*nodes + node]
};

}  // namespace kernbench::sim

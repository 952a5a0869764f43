// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/diagnostics.hpp"

namespace kernbench::sim {

/// Bit set of trace fields, by field number.
using TraceFieldSet = std::uint32_t;

/// Definition of a kind of trace, for both formats.
struct TraceFormat {
  std::string_view kind;                     ///< "link-trace"
  std::string_view record;                   ///< name of an entry: "packet"
  std::span<const std::string_view> fields;  ///< names of the fields, in CSV order
  TraceFieldSet may_be_text = 0;     ///< fields that may be text in JSON; the others are numbers
  TraceFieldSet may_be_missing = 0;  ///< fields that JSON may omit; read as an empty text
  std::string_view json_example;     ///< the shortest valid file

  /// Returns the first line of a CSV file.
  [[nodiscard]] std::string csv_header() const;
};

/// Text of a value in a trace file, and its position.
struct TraceText {
  std::string text;
  unsigned line = 0;
  unsigned column = 0;
};

/// Converts the texts of a trace file, of either format, into checked entries.
class TraceBuilder {
 public:
  /// `format` must outlive the builder.
  TraceBuilder(const TraceFormat& format, std::string file, std::string_view text);
  virtual ~TraceBuilder() = default;
  TraceBuilder(const TraceBuilder&) = delete;
  TraceBuilder& operator=(const TraceBuilder&) = delete;

  [[nodiscard]] const TraceFormat& format() const { return format_; }
  void error(unsigned line, unsigned column, std::string message, std::string hint = {});
  /// Adds an entry with one text per field of the format.
  virtual void add(std::span<const TraceText> fields) = 0;
  /// True when there are too many errors to continue.
  [[nodiscard]] bool hopeless() const { return diagnostics_.size() >= kMaxErrors; }

 protected:
  void error(const TraceText& text, std::string message, std::string hint = {});
  std::optional<std::uint64_t> number(std::size_t field, const TraceText& text);
  /// Throws common::BadInput with all errors if there were any, or if the trace is empty.
  void throw_if_bad(bool is_empty);

 private:
  static constexpr std::size_t kMaxErrors = 100;

  const TraceFormat& format_;
  std::string file_;
  common::Diagnostics diagnostics_;
};

/// Reads a whole trace into `trace`. The extension of `name`, .csv or .json, selects the format.
void read_trace(std::string_view text, std::string_view name, TraceBuilder& trace);

}  // namespace kernbench::sim

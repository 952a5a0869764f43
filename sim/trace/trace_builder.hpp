#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/diagnostics.hpp"

namespace kernbench::sim {

/// A set of fields of a trace, by their numbers.
using TraceFieldSet = std::uint32_t;

/// How a kind of trace is written, in both formats.
struct TraceFormat {
  std::string_view kind;                     ///< "link-trace"
  std::string_view record;                   ///< what an entry is called: "packet"
  std::span<const std::string_view> fields;  ///< in the order in which CSV has them
  TraceFieldSet may_be_text = 0;             ///< in JSON; the others are numbers
  TraceFieldSet may_be_missing = 0;          ///< in JSON; it comes as an empty text, as from CSV
  std::string_view json_example;             ///< the shortest file

  /// The first line of CSV.
  [[nodiscard]] std::string csv_header() const;
};

/// A value as it is written in a trace file, and where.
struct TraceText {
  std::string text;
  unsigned line = 0;
  unsigned column = 0;
};

/// Turns the texts of a trace file into checked entries; both formats are read into it.
class TraceBuilder {
 public:
  /// `format` must outlive it.
  TraceBuilder(const TraceFormat& format, std::string file, std::string_view text);
  virtual ~TraceBuilder() = default;
  TraceBuilder(const TraceBuilder&) = delete;
  TraceBuilder& operator=(const TraceBuilder&) = delete;

  [[nodiscard]] const TraceFormat& format() const { return format_; }
  void error(unsigned line, unsigned column, std::string message, std::string hint = {});
  /// Takes an entry, as many texts as the format has fields.
  virtual void add(std::span<const TraceText> fields) = 0;
  /// True when so many errors were found that reading on would help nobody.
  [[nodiscard]] bool hopeless() const { return diagnostics_.size() >= kMaxErrors; }

 protected:
  void error(const TraceText& text, std::string message, std::string hint = {});
  std::optional<std::uint64_t> number(std::size_t field, const TraceText& text);
  /// Throws common::BadInput with all errors if there were any, or nothing was added.
  void throw_if_bad(bool is_empty);

 private:
  static constexpr std::size_t kMaxErrors = 100;

  const TraceFormat& format_;
  std::string file_;
  common::Diagnostics diagnostics_;
};

/// Reads a whole trace into `trace`; the ending of `name`, .csv or .json, tells the format.
void read_trace(std::string_view text, std::string_view name, TraceBuilder& trace);

}  // namespace kernbench::sim

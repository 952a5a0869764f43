// SPDX-License-Identifier: Apache-2.0
#include "sim/build/delays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>
#include <vector>

#include "common/diagnostics.hpp"
#include "sim/build/build_settings.hpp"
#include "sim/build/tools.hpp"

namespace kernbench::sim {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '`';
}

/// Reads preprocessed text token by token.
class DelayCounter {
 public:
  explicit DelayCounter(std::string_view text) : text_(text) {}

  Delays run() {
    while (at_ < text_.size()) step();
    return delays_;
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      ++at_;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at_;
    } else if (c == '"') {
      skip_string();
    } else if (c == '#') {
      read_hash();
    } else if (is_word(c)) {
      read_word();
    } else if (c == '\\') {  // an escaped identifier
      previous_ = "a";
      at_ = std::min(text_.find_first_of(" \t\n", at_), text_.size());
    } else {
      previous_ = text_.substr(at_++, 1);
    }
  }

  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
    previous_ = "\"";
  }

  void read_word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    previous_ = text_.substr(start, at_ - start);
    if (previous_ == "`line") read_line_directive();
  }

  /// Reads the rest of `line 12 "file" 0, which stands for the line behind it.
  void read_line_directive() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view rest = text_.substr(at_, end - at_);
    const std::size_t number = rest.find_first_of("0123456789");
    const std::size_t open = rest.find('"');
    const std::size_t close = rest.rfind('"');
    if (number < open && open < close) {
      std::from_chars(rest.data() + number, rest.data() + rest.size(), line_);
      --line_;
      file_ = rest.substr(open + 1, close - open - 1);
    }
    at_ = end;
  }

  void read_hash() {
    const std::size_t next = text_.find_first_not_of(" \t\n", ++at_);
    const char c = next == std::string_view::npos ? '\0' : text_[next];
    if (c == '#' || c == '-' || c == '=') {  // ##1, #-# and #=# of properties
      at_ = text_[at_] == '#' ? at_ + 1 : std::min(at_ + 2, text_.size());
    } else if (c == '(' ? !names_type() : is_word(c) || c == '.') {
      if (delays_.count++ == 0) delays_.first = fmt::format("{}:{}", file_, line_);
    }
    previous_ = "#";
  }

  /// Returns true for `foo #(...)`, whose parentheses have parameters.
  [[nodiscard]] bool names_type() const {
    constexpr auto kBeforeDelay = std::to_array<std::string_view>(
        {"always",  "and",      "assign",    "begin",   "buf",   "bufif0",  "bufif1", "cmos",
         "do",      "else",     "end",       "endcase", "final", "forever", "fork",   "initial",
         "join",    "join_any", "join_none", "nand",    "nmos",  "nor",     "not",    "notif0",
         "notif1",  "or",       "pmos",      "rcmos",   "rnmos", "rpmos",   "rtran",  "supply0",
         "supply1", "tran",     "tri",       "tri0",    "tri1",  "triand",  "trior",  "wand",
         "wire",    "wor",      "xnor",      "xor"});
    if (previous_.empty() || !is_word(previous_[0]) ||
        std::isdigit(static_cast<unsigned char>(previous_[0])) != 0) {
      return false;
    }
    return std::find(kBeforeDelay.begin(), kBeforeDelay.end(), previous_) == kBeforeDelay.end();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::string_view file_;
  std::string_view previous_;  ///< token
  Delays delays_;
};

}  // namespace

Delays count_delays(std::string_view preprocessed) {
  return DelayCounter(preprocessed).run();
}

std::optional<Delays> delays_of(const RtlSources& sources) {
  if (sources.files.empty() && sources.library_files.empty()) return Delays{};
  std::vector<std::string> words = tool_words(settings_of_environment().verilator);
  words.emplace_back("-E");
  for (const std::string& define : sources.defines) words.push_back("-D" + define);
  for (const std::string& folder : sources.include_dirs) words.push_back("-I" + folder);
  words.insert(words.end(), sources.files.begin(), sources.files.end());
  words.insert(words.end(), sources.library_files.begin(), sources.library_files.end());
  try {
    return count_delays(tool_output(std::move(words)));
  } catch (const common::BadInput&) {
    return std::nullopt;
  }
}

std::string delays_text(const std::optional<Delays>& delays) {
  if (!delays) return "delays of the RTL are ignored; Verilator cannot read it to count them";
  if (delays->count == 0) return {};
  return delays->count == 1 ? fmt::format("1 delay of the RTL is ignored, at {}", delays->first)
                            : fmt::format("{} delays of the RTL are ignored, the first at {}",
                                          delays->count, delays->first);
}

}  // namespace kernbench::sim

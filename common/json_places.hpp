// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

namespace kernbench::common {

/// Tracks positions in the text, which the parser of JSON does not report: where the last string,
/// the last number or literal, and the last opening bracket began. They are kept apart because the
/// parser reports a number only after it has read the next character.
class JsonPlaces {
 public:
  struct Place {
    unsigned line = 1;
    unsigned column = 1;
    std::size_t offset = 0;  ///< in bytes
  };

  void pass(char c) {
    if (in_string_) {
      if (!escaped_ && c == '"') in_string_ = false;
      escaped_ = !escaped_ && c == '\\';
    } else if (c == '"') {
      in_string_ = true;
      in_word_ = false;
      string = here_;
    } else if (std::string_view(" \t\r\n,:{}[]").find(c) != std::string_view::npos) {
      in_word_ = false;
      if (c == '{' || c == '[') bracket = here_;
    } else if (!in_word_) {
      in_word_ = true;
      word = here_;
    }
    last = here_;
    here_ = c == '\n' ? Place{here_.line + 1, 1, here_.offset + 1}
                      : Place{here_.line, here_.column + 1, here_.offset + 1};
  }

  Place string, word, bracket;
  Place last;  ///< position of the last character read

 private:
  Place here_;
  bool in_string_ = false;
  bool escaped_ = false;
  bool in_word_ = false;
};

/// Passes the text to the parser, character by character.
class TrackedJson {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackedJson(const char* at, JsonPlaces* places) : at_(at), places_(places) {}
  reference operator*() const { return *at_; }
  TrackedJson& operator++() {
    places_->pass(*at_++);
    return *this;
  }
  friend bool operator==(const TrackedJson& a, const TrackedJson& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  JsonPlaces* places_;
};

}  // namespace kernbench::common

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kernbench::common {

/// Returns whether a byte of a UTF-8 text begins a character.
[[nodiscard]] constexpr bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
}

/// Returns the number of characters of a UTF-8 text.
[[nodiscard]] std::size_t character_count(const std::string& text);

/// Returns the words of a text, which blanks separate.
[[nodiscard]] std::vector<std::string> words_of_text(const std::string& text);

/// Returns the columns of the terminal on standard output, or 100 if it is none.
[[nodiscard]] std::size_t text_columns();

/// Returns `text` in lines of at most text_columns(), broken at blanks; those after the first begin
/// with `indent` blanks.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t indent);

/// Returns `start` and behind it `text`, in lines that begin where `text` does.
[[nodiscard]] std::string wrapped_from(const std::string& start, const std::string& text);

/// Returns a decimal number with separators of thousands before its point: "-1,234.5".
[[nodiscard]] std::string with_thousands(std::string number);

/// Formats a count with separators: "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t count);

/// Formats a count with its noun: "1 case", "2 cases", "1,234 cases".
[[nodiscard]] std::string counted(std::uint64_t count, const std::string& noun);

/// Formats a number with separators of thousands and `decimals` behind the point: "1,234.500".
[[nodiscard]] std::string fixed_text(double value, int decimals);

}  // namespace kernbench::common

// SPDX-License-Identifier: Apache-2.0
#include "common/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kernbench::common {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

/// Returns the length that the first byte announces, or 0 if no character starts with it.
std::size_t promised_length(unsigned first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;  // 0xc0 and 0xc1 start overlong forms only
  if (first >= 0xe0 && first < 0xf0) return 3;
  if (first >= 0xf0 && first < 0xf5) return 4;
  return 0;
}

/// Returns false for overlong forms, surrogates and characters beyond U+10FFFF, which the second
/// byte reveals.
bool second_fits(unsigned first, unsigned second) {
  switch (first) {
    case 0xe0:
      return second >= 0xa0;
    case 0xed:
      return second < 0xa0;
    case 0xf0:
      return second >= 0x90;
    case 0xf4:
      return second < 0x90;
    default:
      return true;
  }
}

std::string escaped(char c) {
  switch (c) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
}

/// Appends the first character of `text`, escaped if it is not printable. Returns its length.
std::size_t append_printable(std::string_view text, std::string& out) {
  const std::size_t length = utf8_length(text);
  const std::size_t taken = std::max<std::size_t>(length, 1);
  if (length == 0 || is_control(text)) {
    for (const char c : text.substr(0, taken)) out += escaped(c);
  } else {
    out += text.substr(0, taken);
  }
  return taken;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned first = byte_at(text, 0);
  const std::size_t length = promised_length(first);
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xc0U) != 0x80U) return 0;
  }
  return length > 1 && !second_fits(first, byte_at(text, 1)) ? 0 : length;
}

bool is_control(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  return first < 0x20 || first == 0x7f || (first == 0xc2 && byte_at(text, 1) < 0xa0);
}

bool has_control(std::string_view text) {
  while (!text.empty()) {
    if (is_control(text)) return true;
    text.remove_prefix(std::max<std::size_t>(utf8_length(text), 1));
  }
  return false;
}

std::string printable(std::string_view text, std::size_t max_bytes) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (out.size() >= max_bytes) return out + "...";
    i += append_printable(text.substr(i), out);
  }
  return out;
}

std::string without_controls(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\n' || text[i] == '\t') {
      out += text[i++];
    } else {
      i += append_printable(text.substr(i), out);
    }
  }
  return out;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShownBytes = 40;
  return fmt::format("'{}'", printable(text, kShownBytes));
}

}  // namespace kernbench::common

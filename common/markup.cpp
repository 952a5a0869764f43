// SPDX-License-Identifier: Apache-2.0
#include "common/markup.hpp"

#include <algorithm>

#include "common/utf8.hpp"

namespace kernbench::common {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

/// Returns the escaped form of one well-formed character in element content.
std::string_view in_content(std::string_view character) {
  switch (character.front()) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    case '\t':
    case '\n':
      return character;
    case '\r':  // an XML parser would turn it into a line feed
      return "&#13;";
    default:
      break;
  }
  const bool is_c0 = static_cast<unsigned char>(character.front()) < 0x20;
  const bool is_noncharacter = character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";
  return is_c0 || is_noncharacter ? kReplacement : character;
}

/// Returns the escaped form of one character in a quoted attribute, where an XML parser would turn
/// tabs and line feeds into blanks.
std::string_view in_attribute(std::string_view character) {
  if (character == "\t") return "&#9;";
  if (character == "\n") return "&#10;";
  return in_content(character);
}

template <typename Escape>
std::string escape_each(std::string_view text, Escape escape) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    out += length > 0 ? escape(text.substr(0, length)) : kReplacement;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

}  // namespace

std::string escape_markup(std::string_view text) {
  return escape_each(text, in_attribute);
}

std::string escape_content(std::string_view text) {
  return escape_each(text, in_content);
}

}  // namespace kernbench::common

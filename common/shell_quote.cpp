// SPDX-License-Identifier: Apache-2.0
#include "common/shell_quote.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "common/utf8.hpp"

namespace kernbench::common {
namespace {

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

/// Quotes a word by its bytes, since reports hold only UTF-8.
std::string printed_word(std::string_view word) {
  std::string format;
  for (const char c : word) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                          (c >= 'a' && c <= 'z') || c == '/' || c == '.';
    format += is_plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return fmt::format("\"$(printf '{}')\"", format);
}

}  // namespace

std::string shell_quote(std::string_view argument) {
  constexpr std::string_view kLiteral =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%";
  if (!argument.empty() && argument.find_first_not_of(kLiteral) == std::string_view::npos) {
    return std::string(argument);
  }
  // A command substitution drops newlines at the end.
  if (!is_utf8(argument) && argument.back() != '\n') return printed_word(argument);
  std::string quoted = "'";
  for (const char c : argument) {
    if (c == '\'') {
      quoted += "'\\''";  // a single-quoted text cannot contain a single quote
    } else {
      quoted += c;
    }
  }
  return quoted + '\'';
}

std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  bool is_open = false;  // a word has begun
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == ' ' || c == '\t' || c == '\n') {
      is_open = false;
      continue;
    }
    if (!is_open) words.emplace_back();
    is_open = true;
    if (c == '\'') {
      const std::size_t end = line.find('\'', i + 1);
      if (end == std::string_view::npos) throw std::invalid_argument("a quote has no end");
      words.back() += line.substr(i + 1, end - i - 1);
      i = end;
    } else if (c == '\\' && i + 1 < line.size()) {
      words.back() += line[++i];
    } else if (c == '"' || c == '$' || c == '`' || c == '\\') {
      throw std::invalid_argument(fmt::format("'{}' has a meaning for a shell", c));
    } else {
      words.back() += c;
    }
  }
  return words;
}

}  // namespace kernbench::common

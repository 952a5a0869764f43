// SPDX-License-Identifier: Apache-2.0
#include "common/numbers.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace kernbench::common {
namespace {

/// Applies std::from_chars to `text`; returns std::nullopt unless it consumes every character.
template <typename T, typename Format>
std::optional<T> convert_all(std::string_view text, Format format) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, format);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Returns true for texts such as "01", which some readers take for octal and others for decimal.
bool has_leading_zero(std::string_view text) {
  return text.size() > 1 && text[0] == '0' && is_digit(text[1]);
}

}  // namespace

std::optional<std::uint64_t> parse_u64(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    return convert_all<std::uint64_t>(text.substr(2), 16);
  }
  if (has_leading_zero(text)) return std::nullopt;
  return convert_all<std::uint64_t>(text, 10);
}

std::optional<std::int64_t> parse_i64(std::string_view text) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const bool negative = text.starts_with('-');
  const auto magnitude = parse_u64(negative ? text.substr(1) : text);
  if (!magnitude || *magnitude > kMax + (negative ? 1U : 0U)) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0U - *magnitude : *magnitude);
}

std::optional<double> parse_double(std::string_view text) {
  if (has_leading_zero(text.starts_with('-') ? text.substr(1) : text)) return std::nullopt;
  const auto value = convert_all<double>(text, std::chars_format::general);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return value;
}

}  // namespace kernbench::common

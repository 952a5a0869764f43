// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kernbench::common {

/// Parses an integer, decimal or hexadecimal with "0x". Returns std::nullopt unless the whole text
/// is a number that fits the type: blanks, a leading '+', digit separators, leading zeros (octal
/// elsewhere) and trailing characters are rejected.
[[nodiscard]] std::optional<std::uint64_t> parse_u64(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> parse_i64(std::string_view text);
/// Parses a decimal number with an optional exponent, as strictly as parse_u64(). Infinities and
/// NaN are rejected.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);

}  // namespace kernbench::common

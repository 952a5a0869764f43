#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kernbench::common {

/// Strict readers of numbers: the whole text must be the number. No blanks, no leading '+', no
/// digit separators, no leading zeros (octal elsewhere), nothing after the last digit, nothing
/// that does not fit. Integers are decimal, or hexadecimal after "0x".
[[nodiscard]] std::optional<std::uint64_t> parse_u64(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> parse_i64(std::string_view text);
/// Decimal, with or without exponent. Infinities and NaN are refused.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);

}  // namespace kernbench::common

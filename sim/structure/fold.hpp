// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kernbench::sim::structure {

/// A number of at most 64 bits, as an operator reads it.
struct Number {
  std::uint64_t value = 0;
  std::size_t bits = 0;
};

/// Returns a number of two's complement.
[[nodiscard]] std::int64_t as_signed(const Number& one);

/// Returns the value of an operator of numbers, such as "DIV", which the caller cuts to the width
/// of the expression. `type` is the name that Verilator's dump gives it. Returns nothing for an
/// operator that is not known, and for a division by zero.
[[nodiscard]] std::optional<std::uint64_t> fold(std::string_view type,
                                                const std::vector<Number>& operands);

}  // namespace kernbench::sim::structure

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

namespace kernbench::common {

/// One row of a table that names the values of an enumeration.
template <typename E>
using EnumName = std::pair<std::string_view, E>;

template <typename E, std::size_t N>
[[nodiscard]] constexpr std::array<std::string_view, N> names_of(
    const std::array<EnumName<E>, N>& table) {
  std::array<std::string_view, N> names;
  for (std::size_t i = 0; i < N; ++i) names[i] = table[i].first;
  return names;
}

/// Returns the row of `value`. Throws std::logic_error when the table lacks `value`.
template <typename E, std::size_t N>
[[nodiscard]] constexpr std::size_t row_of(const std::array<EnumName<E>, N>& table, E value) {
  for (std::size_t i = 0; i < N; ++i) {
    if (table[i].second == value) return i;
  }
  throw std::logic_error(fmt::format("enumerator {} is none of {}",
                                     +static_cast<std::underlying_type_t<E>>(value),
                                     fmt::join(names_of(table), ", ")));
}

/// Returns the name of `value`. Throws std::logic_error when the table lacks `value`.
template <typename E, std::size_t N>
[[nodiscard]] constexpr std::string_view name_of(const std::array<EnumName<E>, N>& table, E value) {
  return table[row_of(table, value)].first;
}

}  // namespace kernbench::common

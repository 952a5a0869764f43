// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "common/enum_names.hpp"

namespace kernbench::common {

/// Returns the value that a name stands for, if the table has it.
template <typename E, std::size_t N>
[[nodiscard]] constexpr std::optional<E> find_value(const std::array<EnumName<E>, N>& table,
                                                    std::string_view name) {
  for (const auto& [known, value] : table) {
    if (known == name) return value;
  }
  return std::nullopt;
}

}  // namespace kernbench::common

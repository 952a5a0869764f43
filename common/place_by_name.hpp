// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "common/registration.hpp"
#include "common/utf8.hpp"

namespace kernbench::common {

/// Returns true for a name of lower-case letters, digits and '-', which is neither first nor last.
[[nodiscard]] inline bool is_kebab_case(std::string_view name) {
  if (name.empty() || name.front() == '-' || name.back() == '-') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

/// Returns where an item of this name belongs in a list sorted by name. Refuses the registration of
/// `what`, such as a "bench", and returns nothing if the name is already registered or not in
/// kebab-case.
template <typename Item>
[[nodiscard]] std::optional<typename std::vector<Item>::iterator> place_by_name(
    std::vector<Item>& all, std::string_view name, std::string_view what) {
  const auto place = std::lower_bound(
      all.begin(), all.end(), name,
      [](const Item& item, std::string_view wanted) { return item.name < wanted; });
  const bool taken = place != all.end() && place->name == name;
  if (!taken && is_kebab_case(name)) return place;
  refuse_registration(fmt::format("the {} name {} is {}", what, in_quotes(name),
                                  taken ? "already registered" : "not in kebab-case"));
  return std::nullopt;
}

}  // namespace kernbench::common

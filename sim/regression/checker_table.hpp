// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kernbench::sim {

/// The checkers of a design: the name of each in files and reports, and its flag in a `Checks`.
template <class Checks, std::size_t N>
using CheckerTable = std::array<std::pair<std::string_view, bool Checks::*>, N>;

/// Returns the names of all checkers of a table.
template <class Checks, std::size_t N>
std::vector<std::string> names_in(const CheckerTable<Checks, N>& table) {
  std::vector<std::string> names;
  for (const auto& [name, flag] : table) names.emplace_back(name);
  return names;
}

/// Returns the names of those whose flags are set.
template <class Checks, std::size_t N>
std::vector<std::string> set_names_in(const CheckerTable<Checks, N>& table, const Checks& checks) {
  std::vector<std::string> names;
  for (const auto& [name, flag] : table) {
    if (checks.*flag) names.emplace_back(name);
  }
  return names;
}

/// Sets the flags of these checkers and of no others.
template <class Checks, std::size_t N>
void set_by_names(const CheckerTable<Checks, N>& table, Checks& checks,
                  const std::vector<std::string>& names) {
  for (const auto& [name, flag] : table) {
    checks.*flag = std::find(names.begin(), names.end(), name) != names.end();
  }
}

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/report/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kernbench::sim {

std::string short_count(std::uint64_t value) {
  if (value < 1000) return std::to_string(value);
  constexpr std::array<char, 6> kUnits = {'k', 'M', 'G', 'T', 'P', 'E'};
  std::size_t unit = 0;
  // Tenths of the unit, truncated: 999,999 is "999.9 k" and never "1000.0 k".
  std::uint64_t tenths = value / 100;
  for (; tenths >= 10'000; ++unit) tenths /= 1000;
  return fmt::format("{}.{} {}", tenths / 10, tenths % 10, kUnits.at(unit));
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  if (part >= whole) return "100.0 %";
  const double tenths = 1000.0 * static_cast<double>(part) / static_cast<double>(whole);
  const auto cut = std::min(static_cast<unsigned>(tenths), 999U);
  return fmt::format("{}.{} %", cut / 10, cut % 10);
}

std::string ns_text(double ps) {
  return fmt::format("{:.1f}", ps / 1000.0);
}

}  // namespace kernbench::sim

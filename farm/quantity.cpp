// SPDX-License-Identifier: Apache-2.0
#include "farm/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace kernbench::farm {
namespace {

struct NamedUnit {
  std::string_view name;
  double size;
};

constexpr std::array<NamedUnit, 5> kTimes = {
    {{"ps", 1e-12}, {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}};
constexpr std::array<NamedUnit, 7> kCounts = {{{"billionths", 1e-9},
                                               {"millionths", 1e-6},
                                               {"thousandths", 1e-3},
                                               {"thousands", 1e3},
                                               {"millions", 1e6},
                                               {"billions", 1e9},
                                               {"trillions", 1e12}}};
constexpr double kFewDigits = 10'000;  // smaller numbers need no other unit
constexpr double kTooSmall = 0.01;     // larger ones neither

}  // namespace

Quantity quantity_of(const std::string& name, double largest) {
  const bool fits = largest == 0 || (largest >= kTooSmall && largest < kFewDigits);
  const std::string ending = name.substr(std::min(name.size(), name.rfind('_') + 1));
  for (const NamedUnit& own : kTimes) {
    if (name.find('_') == std::string::npos || ending != own.name) continue;
    NamedUnit shown = fits ? own : kTimes.front();
    for (const NamedUnit& unit : kTimes) {
      if (!fits && largest * own.size >= unit.size) shown = unit;
    }
    return {fmt::format("{} in {}", name, shown.name), shown.size / own.size};
  }
  if (fits) return {name, 1};
  NamedUnit shown = kCounts.front();
  for (const NamedUnit& one : kCounts) {
    if (largest >= one.size) shown = one;
  }
  return {fmt::format("{} in {}", name, shown.name), shown.size};
}

std::string plain_number(double value) {
  const bool is_large = std::abs(value) >= 1e6 && std::abs(value) < 1e15;
  return is_large ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

}  // namespace kernbench::farm

// SPDX-License-Identifier: Apache-2.0
#include "farm/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "farm/csv.hpp"

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

Quantity quantity_of(const Target& target, double largest) {
  const bool fits = largest == 0 || (largest >= kTooSmall && largest < kFewDigits);
  if (const std::string time = target.time_unit(); !time.empty()) {
    const double own = *seconds_of(time);
    NamedUnit shown = fits ? NamedUnit{time, own} : kTimes.front();
    for (const NamedUnit& unit : kTimes) {
      if (!fits && largest * own >= unit.size) shown = unit;
    }
    return {fmt::format("{} in {}", target.name, shown.name), shown.size / own};
  }
  const std::string of = target.unit.empty() ? "" : " " + target.unit;
  if (fits) return {target.name + (of.empty() ? "" : " in" + of), 1};
  NamedUnit shown = kCounts.front();
  for (const NamedUnit& one : kCounts) {
    if (largest >= one.size) shown = one;
  }
  return {fmt::format("{} in {}{}", target.name, shown.name, of.empty() ? "" : " of" + of),
          shown.size};
}

Quantity quantity_of(const std::string& name, double largest) {
  return quantity_of(Target{.name = name}, largest);
}

std::string quantity_text(const Target& target, const nlohmann::json& value) {
  if (!value.is_number()) return text_of(value);
  const double number = value.get<double>();
  if (const std::string time = target.time_unit(); !time.empty()) {
    const Quantity quantity = quantity_of(target, std::abs(number));
    const std::string& label = quantity.label;
    return fmt::format("{} {}", plain_number(number / quantity.unit),
                       label.substr(label.rfind(' ') + 1));
  }
  return plain_number(number) + (target.unit.empty() ? "" : " " + target.unit);
}

std::optional<double> seconds_of(std::string_view unit) {
  for (const NamedUnit& one : kTimes) {
    if (one.name == unit) return one.size;
  }
  return std::nullopt;
}

std::string plain_number(double value) {
  const bool is_large = std::abs(value) >= 1e6 && std::abs(value) < 1e15;
  return is_large ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

}  // namespace kernbench::farm

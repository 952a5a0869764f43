// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace kernbench::common {

/// The values of a figure over runs that differ only in what should not matter, in any unit.
struct Band {
  double least = 0.0;
  double median = 0.0;
  double most = 0.0;

  [[nodiscard]] double width() const { return most - least; }
};

/// Returns whether two medians differ by more than the wider band. A smaller difference can be that
/// of two runs of the same system.
[[nodiscard]] inline bool differ(const Band& before, const Band& after) {
  return std::abs(after.median - before.median) > std::max(before.width(), after.width());
}

/// Returns the difference of two medians in percent of the one before, 0 of 0.
[[nodiscard]] inline double percent_of_change(const Band& before, const Band& after) {
  return before.median == 0.0 ? 0.0 : 100.0 * (after.median / before.median - 1.0);
}

/// Returns "+12.50 %, the band is 7.03 %", or "no difference (+1.20 %, the band is 7.03 %)"; both
/// in percent of the median before.
[[nodiscard]] inline std::string difference_text(const Band& before, const Band& after) {
  if (before.median == 0.0) return differ(before, after) ? "from 0" : "no difference";
  const std::string change =
      fmt::format("{:+.2f} %, the band is {:.2f} %", percent_of_change(before, after),
                  100.0 * std::max(before.width(), after.width()) / before.median);
  return differ(before, after) ? change : fmt::format("no difference ({})", change);
}

}  // namespace kernbench::common

// SPDX-License-Identifier: Apache-2.0
#include "model/serving/percentiles.hpp"

#include <algorithm>
#include <cstddef>

namespace kernbench::model::serving {

std::optional<Percentiles> percentiles_of(std::vector<common::SimTime> times) {
  if (times.empty()) return std::nullopt;
  const auto at = [&](std::size_t percent) {
    const std::size_t rank = (times.size() * percent + 99) / 100;
    const auto place = times.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(times.begin(), place, times.end());
    return *place;
  };
  Percentiles percentiles;
  percentiles.p50 = at(50);
  percentiles.p90 = at(90);
  percentiles.p99 = at(99);
  return percentiles;
}

}  // namespace kernbench::model::serving

// SPDX-License-Identifier: Apache-2.0
#include "model/serving/percentiles.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

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
  // The sum of many hours in picoseconds is beyond 64 bits.
  const auto count = static_cast<std::int64_t>(times.size());
  std::int64_t whole = 0;
  std::int64_t rest = 0;
  for (const common::SimTime time : times) {
    whole += time.ps() / count;
    rest += time.ps() % count;
  }
  percentiles.mean = common::SimTime::from_ps(whole + (rest + count / 2) / count);
  percentiles.p50 = at(50);
  percentiles.p90 = at(90);
  percentiles.p99 = at(99);
  return percentiles;
}

}  // namespace kernbench::model::serving

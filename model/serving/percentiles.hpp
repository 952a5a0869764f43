// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "common/units.hpp"

namespace kernbench::model::serving {

/// Mean and percentiles of some times.
struct Percentiles {
  common::SimTime mean;  ///< rounded to the nearest picosecond
  common::SimTime p50;
  common::SimTime p90;
  common::SimTime p99;
};

/// Returns the mean, and percentiles by nearest rank: the shortest of the times that at least 50,
/// 90 or 99 % of them do not exceed. Returns nothing for no times.
[[nodiscard]] std::optional<Percentiles> percentiles_of(std::vector<common::SimTime> times);

}  // namespace kernbench::model::serving

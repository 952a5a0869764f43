// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "common/units.hpp"

namespace kernbench::model::serving {

/// Times by a whole number, linear between points.
class Polyline {
 public:
  /// Adds a point, unless its x is not larger than that of the last one.
  void add(std::int64_t x, common::SimTime time);
  /// Returns the time at `x`, rounded towards that of a point. Goes on straight beyond the ends,
  /// and is constant if there is one point. There must be one.
  [[nodiscard]] common::SimTime at(std::int64_t x) const;

 private:
  std::vector<std::int64_t> x_;   ///< ascending
  std::vector<std::int64_t> ps_;  ///< at each x
};

}  // namespace kernbench::model::serving

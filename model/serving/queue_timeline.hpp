// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/units.hpp"

namespace kernbench::model::serving {

/// The state of a queue.
struct QueueState {
  std::uint64_t waiting = 0;  ///< requests that have arrived and are not admitted
  std::uint64_t batch = 0;    ///< requests with an output that is not complete
  std::uint64_t pages = 0;    ///< pages of the cache in use
};

/// The means of a queue over equal stretches of time. Their number is limited: when there are too
/// many, two become one.
class QueueTimeline {
 public:
  static constexpr std::size_t kMostStretches = 256;

  /// The means over a stretch.
  struct Stretch {
    common::SimTime begin;
    double waiting = 0;
    double batch = 0;
    double pages = 0;
  };

  /// Adds the state from `begin` to `end`; times do not go back.
  void add(common::SimTime begin, common::SimTime end, const QueueState& state);
  /// Returns the stretches up to `end`.
  [[nodiscard]] std::vector<Stretch> stretches(common::SimTime end) const;

 private:
  /// Sums of a state times picoseconds.
  struct Sums {
    double waiting = 0;
    double batch = 0;
    double pages = 0;
  };

  void halve();

  std::int64_t width_ = 1'000'000;  ///< width of a stretch in ps; 1 us at first
  std::vector<Sums> sums_;
};

}  // namespace kernbench::model::serving

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "common/units.hpp"

namespace kernbench::model::fabric {

/// The number of a rising clock edge, or a count of cycles.
using Edge = std::uint64_t;

/// The clock of a fabric (DESIGN section 6). Edge n is n periods after time 0, also while the
/// fabric is idle.
class FabricClock {
 public:
  /// Throws std::invalid_argument unless `period` is at least 1 ps.
  explicit FabricClock(common::SimTime period);

  [[nodiscard]] common::SimTime period() const { return period_; }

  /// Returns the first edge strictly after `time` (at least 0), which sees a submission at `time`.
  [[nodiscard]] Edge edge_after(common::SimTime time) const {
    if (time < last_ || time - last_ >= period_) {
      last_edge_ = static_cast<Edge>(time.ps() / period_.ps());
      last_ = period_ * static_cast<std::int64_t>(last_edge_);
    }
    return last_edge_ + 1;
  }
  /// Returns the last edge at or before `time` (at least 0).
  [[nodiscard]] Edge edge_at_or_before(common::SimTime time) const { return edge_after(time) - 1; }

  /// Returns the time of an edge. Throws std::out_of_range past the end of simulated time.
  [[nodiscard]] common::SimTime time_of(Edge edge) const;

 private:
  common::SimTime period_;
  // Most calls ask for the same edge; caching it avoids a division.
  mutable common::SimTime last_;  ///< time of last_edge_
  mutable Edge last_edge_ = 0;
};

}  // namespace kernbench::model::fabric

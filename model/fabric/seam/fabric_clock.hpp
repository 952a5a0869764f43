#pragma once

#include <cstdint>

#include "common/units.hpp"

namespace kernbench::model::fabric {

/// Number of a rising clock edge; also a count of cycles.
using Edge = std::uint64_t;

/// The clock of a fabric (DESIGN section 6): edge n is at n periods from time 0, whether or not
/// anything moves.
class FabricClock {
 public:
  /// Throws std::invalid_argument unless `period` is at least 1 ps.
  explicit FabricClock(common::SimTime period);

  [[nodiscard]] common::SimTime period() const { return period_; }

  /// The first edge strictly after `time`, which is not negative: at which a submission is seen.
  [[nodiscard]] Edge edge_after(common::SimTime time) const {
    if (time < last_ || time - last_ >= period_) {
      last_edge_ = static_cast<Edge>(time.ps() / period_.ps());
      last_ = period_ * static_cast<std::int64_t>(last_edge_);
    }
    return last_edge_ + 1;
  }
  /// The last edge that is not after `time`, which is not negative.
  [[nodiscard]] Edge edge_at_or_before(common::SimTime time) const { return edge_after(time) - 1; }

  /// Throws std::out_of_range when that is past the end of simulated time.
  [[nodiscard]] common::SimTime time_of(Edge edge) const;

 private:
  common::SimTime period_;
  // Most questions are about one edge, again and again; a division is dear.
  mutable common::SimTime last_;  ///< of last_edge_
  mutable Edge last_edge_ = 0;
};

}  // namespace kernbench::model::fabric

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
    return static_cast<Edge>(time.ps() / period_.ps()) + 1;
  }
  /// The last edge that is not after `time`, which is not negative.
  [[nodiscard]] Edge edge_at_or_before(common::SimTime time) const { return edge_after(time) - 1; }

  /// Throws std::out_of_range when that is past the end of simulated time.
  [[nodiscard]] common::SimTime time_of(Edge edge) const;

 private:
  common::SimTime period_;
};

}  // namespace kernbench::model::fabric

// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/seam/fabric_clock.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace kernbench::model::fabric {

FabricClock::FabricClock(common::SimTime period) : period_(period) {
  if (period.ps() < 1) {
    throw std::invalid_argument(
        fmt::format("the clock period of a fabric must be at least 1 ps, not {}", period.ps()));
  }
}

common::SimTime FabricClock::time_of(Edge edge) const {
  if (edge > static_cast<Edge>(common::SimTime::max().ps() / period_.ps())) {
    throw std::out_of_range(fmt::format("clock edge {} of {} ps is past the end of simulated time",
                                        edge, period_.ps()));
  }
  return period_ * static_cast<std::int64_t>(edge);
}

}  // namespace kernbench::model::fabric

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kernbench::sim {

enum class StopReason {
  Drained,      ///< the plan was carried out and the fabric is empty
  Failed,       ///< a checker failed
  DrainLimit,   ///< the fabric did not empty in time
  Interrupted,  ///< the heartbeat requested it
};

struct RunEnd {
  StopReason reason = StopReason::Drained;
  std::uint64_t cycles = 0;  ///< all clocked cycles, resets included

  /// True when every packet in the fabric had the time to arrive.
  [[nodiscard]] bool complete() const {
    return reason == StopReason::Drained || reason == StopReason::DrainLimit;
  }
};

}  // namespace kernbench::sim

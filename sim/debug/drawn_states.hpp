// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "maze/network_frame.hpp"
#include "sim/debug/recorder.hpp"

namespace kernbench::sim {

/// A unit of the reference in a run that is drawn, and what is recorded of it.
struct DrawnUnit {
  static constexpr unsigned kMost = 9;  ///< units of a network
  static constexpr std::uint64_t kCycles = 160;
  /// Returns whether such a run is in reset, at its start or later.
  [[nodiscard]] static bool in_reset_at(std::uint64_t cycle);

  std::unique_ptr<UnitReference> reference;
  Recording recording;

  /// Records a cycle, and returns its row.
  const UnitCycle& step(const CycleView& view);
};

/// Runs the reference alone, on drawn traffic with stalls and a reset, and records it: some nodes
/// of a network, evenly spread, or the link that failed. The RTL takes no part. `failed` is a
/// recording of a unit, which tells where the RTL has it; `network` tells that its links are
/// between nodes.
///
/// The cycles before a failure are few, and of one unit. These states tell which lines would have
/// to read more than they do.
[[nodiscard]] std::vector<Recording> draw_states(const Recording& failed,
                                                 const maze::NetworkConfig& config, bool network);

}  // namespace kernbench::sim

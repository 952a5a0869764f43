// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "common/random.hpp"
#include "maze/link_frame.hpp"
#include "sim/stimulus/link_counters.hpp"
#include "sim/stimulus/link_runs.hpp"
#include "sim/stimulus/traffic_spec.hpp"

namespace kernbench::sim {

/// Decides which receivers are ready in each cycle, independent of waiting packets.
class BackPressureGenerator {
 public:
  /// Throws std::invalid_argument with the text of `problem(spec)` (traffic_rules.hpp).
  BackPressureGenerator(const maze::Shape& shape, const BackPressureSpec& spec, common::Rng rng)
      : BackPressureGenerator(shape, shape.ports(), spec, rng) {}
  /// Has `ports` receivers at each node.
  BackPressureGenerator(const maze::Shape& shape, unsigned ports, const BackPressureSpec& spec,
                        common::Rng rng);

  /// Sets all of `in_ready`, by receiver. Must be called once per cycle: AllStalled depends on the
  /// cycle number, all other kinds on the number of calls.
  void ready(std::uint64_t cycle, maze::BitPlane& in_ready);

 private:
  void start_at_random_phases(const maze::Shape& shape);
  void step_periodic(maze::BitPlane& in_ready);
  void step_long_stalls(maze::BitPlane& in_ready);

  BackPressureSpec spec_;
  common::Rng rng_;
  std::uint64_t threshold_;       ///< Random: probability of ready; LongStalls: of starting a stall
  maze::BitPlane every_;          ///< all receivers
  maze::BitPlane ready_;          ///< Periodic, LongStalls: receivers that are ready
  LinkCounters remaining_;        ///< Periodic: cycles left in the state; LongStalls: in the stall
  std::optional<LinkRuns> runs_;  ///< HeavyTailed, LengthSweep
};

}  // namespace kernbench::sim

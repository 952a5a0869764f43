#pragma once

#include <cstdint>

#include "common/random.hpp"
#include "maze/link_frame.hpp"
#include "sim/stimulus/link_counters.hpp"
#include "sim/stimulus/traffic_spec.hpp"

namespace kernbench::sim {

/// Decides which receivers are ready in which cycle, whether or not a packet waits for them.
class BackPressureGenerator {
 public:
  /// Throws std::invalid_argument with what `problem(spec)` finds (traffic_rules.hpp).
  BackPressureGenerator(const maze::Shape& shape, const BackPressureSpec& spec, common::Rng rng);

  /// Sets all of `in_ready`, by receiver. Called once a cycle; AllStalled alone depends on the
  /// number of the cycle, the others on that of the calls.
  void ready(std::uint64_t cycle, maze::BitPlane& in_ready);

 private:
  void start_at_random_phases(const maze::Shape& shape);
  void step_periodic(maze::BitPlane& in_ready);
  void step_long_stalls(maze::BitPlane& in_ready);

  BackPressureSpec spec_;
  common::Rng rng_;
  std::uint64_t threshold_;  ///< Random: of being ready; LongStalls: of beginning a stall
  maze::BitPlane every_;     ///< all receivers
  maze::BitPlane ready_;     ///< Periodic, LongStalls: who is ready by now
  LinkCounters remaining_;   ///< Periodic: cycles left in this state; LongStalls: of the stall
};

}  // namespace kernbench::sim

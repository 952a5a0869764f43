// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/dut/maze_dut.hpp"

namespace kernbench::docs {

/// A call that the bench makes within one clock cycle.
struct CycleCall {
  std::string to;      ///< "fabric", or the name of a checker
  std::string call;    ///< "drive(inputs)"
  std::string figure;  ///< count of moves or comparisons, "420 comparisons"
};

/// The calls of one cycle, in their order.
struct CycleRecord {
  std::uint64_t cycle = 0;
  std::vector<CycleCall> calls;
};

/// Runs a case with random traffic, random back-pressure and all checkers of the bench on a fabric,
/// and records one cycle in its middle. The checkers compare as in every case; throws
/// std::runtime_error when one of them fails.
[[nodiscard]] CycleRecord record_cycle(sim::MazeDut& dut);

/// Draws the calls as a sequence from top to bottom, a lane for the harness and each party that it
/// calls, with the clock beside them.
[[nodiscard]] std::string cycle_diagram(const CycleRecord& record);

}  // namespace kernbench::docs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "sim/dut/maze_dut.hpp"
#include "sim/dut/network_dut.hpp"
#include "sim/failure.hpp"
#include "sim/harness/cycle_runner.hpp"
#include "sim/stimulus/pin_trace.hpp"

namespace kernbench::sim {

/// Result of one replay of a pin-trace.
struct PinRun {
  std::optional<Failure> failure;  ///< the first one
  std::uint64_t cycles = 0;        ///< executed, up to a few after the failure
  std::uint64_t checks = 0;        ///< comparisons of all checkers
  std::uint64_t output_hash = 0;   ///< the same with waves as without
};

/// Puts the values of a trace on the pins of `dut`, as they are, and compares every cycle with the
/// reference: a fabric with TopoModel and, if the model has them, the SystemVerilog checkers; a
/// primitive with IrsModel. Ends at the first difference, or with a waveform at the end of
/// `window`. After its last cycle the trace offers nothing, and all receivers are ready.
[[nodiscard]] PinRun replay_pins(const PinTrace& trace, MazeDut& dut, const TraceWindow& window);

/// Does the same with a network, whose reference is NetworkModel.
[[nodiscard]] PinRun replay_pins(const PinTrace& trace, NetworkDut& dut, const TraceWindow& window);

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/dut/maze_dut.hpp"
#include "sim/dut/network_dut.hpp"
#include "sim/harness/case_observer.hpp"
#include "sim/regression/case_result.hpp"
#include "sim/stimulus/pin_trace.hpp"
#include "sim/stimulus/script.hpp"

namespace kernbench::sim {

/// Returns the packets, stalls and resets of a pin-trace of a fabric or a network. A packet that
/// stands on the pins is one packet until the reference accepts it.
[[nodiscard]] Script script_of(const PinTrace& trace);

// Each runs a script as a case, with the checkers of a replay.
[[nodiscard]] CaseResult run_script(const PinTrace& trace, const Script& script, MazeDut& dut,
                                    CaseObserver* observer);
[[nodiscard]] CaseResult run_script(const PinTrace& trace, const Script& script, NetworkDut& dut,
                                    CaseObserver* observer);

}  // namespace kernbench::sim

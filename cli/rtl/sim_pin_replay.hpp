// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/rtl/sim_options.hpp"
#include "common/outcome.hpp"
#include "sim/stimulus/pin_trace.hpp"

namespace kernbench::cli {

/// Replays a pin-trace on the RTL of the options, from one start seed of the flops after another
/// until one fails, and prints where it differs from the reference. `root` contains
/// Makefile.verilator.
[[nodiscard]] common::Outcome replay_pin_trace(const sim::PinTrace& trace,
                                               const SimOptions& options, const std::string& root);

}  // namespace kernbench::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/rtl/sim_options.hpp"
#include "common/outcome.hpp"
#include "sim/build/model_store.hpp"
#include "sim/stimulus/pin_trace.hpp"

namespace kernbench::cli {

/// Replays a pin-trace on the RTL of the options, from one start seed of the flops after another
/// until one fails, and prints where it differs from the reference. `root` contains
/// Makefile.verilator.
[[nodiscard]] common::Outcome replay_pin_trace(const sim::PinTrace& trace,
                                               const SimOptions& options, const std::string& root);

/// Looks for the cause of a failure that the pins of a trace show on the model `path` of the RTL,
/// prints it and writes its page. Prints why there is none if the pins alone do not show it.
[[nodiscard]] common::Outcome explain_pins(const sim::PinTrace& trace, const SimOptions& options,
                                           const std::string& root, const std::string& path,
                                           const sim::ModelStore& store);

}  // namespace kernbench::cli

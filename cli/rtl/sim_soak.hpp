// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/base/command.hpp"
#include "cli/rtl/sim_options.hpp"
#include "common/outcome.hpp"

namespace kernbench::cli {

/// Runs the regression with seed after seed until `options.packets` are delivered, and writes the
/// state to the folder of the reports after each. Throws common::BadInput.
[[nodiscard]] common::Outcome soak(const SimOptions& options, const Invocation& invocation);

}  // namespace kernbench::cli

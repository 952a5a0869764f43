// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"
#include "cli/sim_options.hpp"
#include "common/outcome.hpp"

namespace kernbench::cli {

/// Replays the file that `options` name: a failure of `kernbench cosim`, whose waves go to the
/// report folder, or a pin-trace. Builds the model first if it is missing. Throws
/// common::BadInput.
[[nodiscard]] common::Outcome replay(const SimOptions& options, const Invocation& invocation);

}  // namespace kernbench::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/base/command.hpp"

namespace kernbench::cli {

/// Adds `show`, `compare` and `rm` to `kernbench sweep`.
void add_sweep_results_commands(Command& sweep);

}  // namespace kernbench::cli

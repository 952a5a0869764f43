// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/base/command.hpp"

namespace kernbench::cli {

/// Runs the program with these parts on a command line. Returns the exit code.
[[nodiscard]] int run_program(int argc, char** argv, Parts parts);

}  // namespace kernbench::cli

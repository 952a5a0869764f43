// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/line/command.hpp"

namespace kernbench::cli {

// Each function returns a script that completes commands, options and their values in a shell.

[[nodiscard]] std::string bash_completion(const Command& program);
[[nodiscard]] std::string zsh_completion(const Command& program);
[[nodiscard]] std::string fish_completion(const Command& program);

}  // namespace kernbench::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/reference/command_description.hpp"

namespace kernbench::cli {

// Each function returns a script that completes commands, options and their values in a shell.

[[nodiscard]] std::string bash_completion(const CommandDescription& program);
[[nodiscard]] std::string zsh_completion(const CommandDescription& program);
[[nodiscard]] std::string fish_completion(const CommandDescription& program);

}  // namespace kernbench::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace kernbench::cli {

/// Returns the values of a point with their names: "bench.m=4, seed=1".
[[nodiscard]] std::string text_of_point(const std::vector<std::string>& names,
                                        const std::vector<std::string>& values);

/// Adds `show`, `compare` and `rm` to `kernbench sweep`.
void add_sweep_results_commands(CLI::App& sweep, common::Outcome& outcome);

}  // namespace kernbench::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace kernbench::cli {

// Every option that takes a path has one of these checks: `->check(output_file())`. They refuse an
// empty path, and their kind tells check_files() which options of a command must not share a file.

[[nodiscard]] CLI::Validator input_file();
[[nodiscard]] CLI::Validator output_file();
/// Checks a folder, or another text that must not be empty.
[[nodiscard]] CLI::Validator not_empty(const char* what);

/// Throws common::BadInput if two outputs of the parsed command are the same file, or if an output
/// is also an input. Devices and pipes may be shared.
void check_files(const CLI::App& app);

/// Returns the paths of the input files of the parsed commands: those typed, or else the defaults.
[[nodiscard]] std::vector<std::string> input_files_of(const CLI::App& app);

}  // namespace kernbench::cli

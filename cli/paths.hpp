// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kernbench::cli {

// Every option that takes a path has one of these checks: `->check(output_file())`. They refuse an
// empty path, and their kind tells check_files() which files a command reads and writes.

[[nodiscard]] CLI::Validator input_file();
/// Checks the prefix of the trace files PREFIX.NUMBER.et.
[[nodiscard]] CLI::Validator input_prefix();
/// Checks NAME=VALUE, where an existing file as a value is an input.
[[nodiscard]] CLI::Validator input_setting();
/// Checks a name, or a file that ends in .csv or .json.
[[nodiscard]] CLI::Validator input_workload();
/// Checks a name, or a file that ends in .yaml.
[[nodiscard]] CLI::Validator input_engine();
/// Checks a folder whose files the command reads and does not write.
[[nodiscard]] CLI::Validator input_folder();
/// Checks a file to write; "-" is standard output.
[[nodiscard]] CLI::Validator output_file();
/// Checks a file to write that cannot be standard output.
[[nodiscard]] CLI::Validator output_database();
/// Checks the prefix of trace files to write, PREFIX.NUMBER.et.
[[nodiscard]] CLI::Validator output_prefix();
/// Checks a folder in which the command writes files of these names, such as "*.svg".
[[nodiscard]] CLI::Validator output_folder(const std::vector<std::string>& names);
/// Checks the folder of built models, whose files only this program names.
[[nodiscard]] CLI::Validator models_folder();
/// Checks a text that must not be empty.
[[nodiscard]] CLI::Validator not_empty(const char* what);

enum class PathUse { Input, Output, Folder };
/// Returns how an option uses its path, nothing if no check above says that it takes one.
[[nodiscard]] std::optional<PathUse> path_use_of(const CLI::Option& option);

/// Throws common::BadInput if two outputs of the parsed command are the same file, if an output is
/// also an input, or if an output cannot be created. Devices and pipes may be shared. Declares the
/// outputs, so that no file that only an input names is overwritten. If an output is "-", what the
/// command prints goes to standard error from here on.
void check_files(const CLI::App& app);

/// Returns the paths of the input files of the parsed commands: those typed, or else the defaults.
[[nodiscard]] std::vector<std::string> input_files_of(const CLI::App& app);

/// Returns the names of the options of the parsed commands that name an output.
[[nodiscard]] std::vector<std::string> given_outputs_of(const CLI::App& app);

}  // namespace kernbench::cli

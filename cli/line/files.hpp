// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/line/command.hpp"

namespace kernbench::cli {

/// Throws common::BadInput if two outputs of the command line are the same file, if an output is
/// also an input, or if an output cannot be created. Devices and pipes may be shared. Declares the
/// outputs, so that no file that only an input names is overwritten. If an output is "-", what the
/// command prints goes to standard error from here on.
void check_files(const Command& command);

/// Returns the paths of the input files of a command line: those typed, or else the defaults.
[[nodiscard]] std::vector<std::string> input_files_of(const Command& command);

/// Returns the names of the options of a command line that name an output.
[[nodiscard]] std::vector<std::string> given_outputs_of(const Command& command);

/// Returns a hash of the values that decide the result of a command, and of `text`, which is that
/// of an input that may be a pipe. Any other input file counts by its content, and other values
/// that are the default do not count.
[[nodiscard]] std::string hash_of_values(const Command& command, std::string_view text);

}  // namespace kernbench::cli

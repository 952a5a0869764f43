// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/child_process.hpp"

namespace kernbench::sim {

/// Returns a call of Verilator, make or a compiler in an environment that does not change what it
/// builds: messages are in English, and flags of an outer make or of the user's shell do not count.
[[nodiscard]] common::ProgramCall tool_call(std::vector<std::string> words);

/// The advice for a tool that does not start.
inline constexpr const char* kToolsNeeded = "a model needs Verilator, make and a C++ compiler";

/// Returns what `tool --version` prints; `tool` may have several words. Asks once a process. Throws
/// common::BadInput when the tool does not run.
[[nodiscard]] const std::string& tool_version(const std::string& tool);

/// Returns true if `tool OPTION --version` succeeds. Asks once a process.
[[nodiscard]] bool tool_knows(const std::string& tool, const std::string& option);

/// Returns what a tool prints, without the line break at its end. Throws common::BadInput when it
/// does not run or fails.
[[nodiscard]] std::string tool_output(std::vector<std::string> words);

/// Returns the words of a tool such as "ccache g++".
[[nodiscard]] std::vector<std::string> tool_words(const std::string& tool);

/// Returns true if there is a program of this name on the PATH.
[[nodiscard]] bool has_tool(const std::string& name);

}  // namespace kernbench::sim

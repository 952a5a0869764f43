// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace kernbench::common {

/// The end of a process.
struct ChildEnd {
  int exit_code = 0;  ///< -1 if a signal ended the process
  int signal = 0;     ///< 0 if it ended by itself
};

/// A program to run. No shell reads the words.
struct ProgramCall {
  std::vector<std::string> words{};  ///< the first is searched on PATH
  std::filesystem::path folder{};    ///< working folder; empty: the current one
  std::filesystem::path log{};       ///< receives stdout and stderr; empty: they are discarded
  /// Variables that are set in addition to the environment; an empty value removes one.
  std::vector<std::pair<std::string, std::string>> environment{};
};

/// Runs a program in a process group of its own and waits for it; nothing that it started outlives
/// it. A signal that asks this process to end also ends the group, first with SIGTERM and soon
/// after with SIGKILL, and run_program() throws Interrupted (common/interrupt.hpp). The group also
/// ends when this process is killed. Ctrl-Z and the continuation after it are passed on. May be
/// called from any thread, and by several at a time. Throws std::runtime_error with the reason when
/// the program cannot be started, and BadInput when the log cannot be written.
[[nodiscard]] ChildEnd run_program(const ProgramCall& call);

}  // namespace kernbench::common

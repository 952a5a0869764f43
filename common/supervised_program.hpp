// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace kernbench::common {

/// Descriptors that a program gets as its streams; -1 discards what it writes.
struct ProgramStreams {
  int out = -1;
  int error = -1;
  int report = -1;  ///< descriptor 3 of the program, which it has only if this is given
};
constexpr int kReportStream = 3;

/// How a program ends.
struct ProgramEnding {
  int grace_ms = 0;               ///< from SIGTERM to SIGKILL
  bool leaves_background = true;  ///< its background processes stay if it ends by itself
};

/// The end of a program.
struct ProgramEnd {
  int exit_code = 0;          ///< -1 if a signal ended it
  int signal = 0;             ///< 0 if it ended by itself
  std::string not_started{};  ///< why it could not be started; empty if it was
};

/// A program that runs in a process group of its own under a small process that supervises it.
/// Nothing of the group outlives this process, even if that is killed. Ctrl-Z stops the group as
/// well. Objects may be made in any thread.
class SupervisedProgram {
 public:
  /// Starts `words[0]`, which is searched on PATH, in `folder` (empty: the current one).
  /// `environment` is set in addition; an empty value removes a variable. Throws
  /// std::runtime_error when the system cannot start a process.
  SupervisedProgram(std::vector<std::string> words, const std::filesystem::path& folder,
                    const std::vector<std::pair<std::string, std::string>>& environment,
                    const ProgramStreams& streams, const ProgramEnding& ending);
  /// Kills the group if the program still runs.
  ~SupervisedProgram();
  SupervisedProgram(const SupervisedProgram&) = delete;
  SupervisedProgram& operator=(const SupervisedProgram&) = delete;

  /// Ends the group: SIGTERM, and SIGKILL after the grace. Does not wait.
  void end() const;
  /// Waits for the end of the program, at most `wait_ms` or until a signal arrives.
  [[nodiscard]] bool has_ended(int wait_ms) const;
  /// Waits for the end of the program; call it once.
  [[nodiscard]] ProgramEnd wait();

 private:
  void close_supervisor();

  pid_t supervisor_ = -1;
  int socket_ = -1;
  std::size_t slot_ = 0;  ///< in the table that signal handlers read
};

/// Kills all programs and waits until they are gone, at most a second. Async-signal-safe; call it
/// only before the process ends.
void end_programs();

}  // namespace kernbench::common

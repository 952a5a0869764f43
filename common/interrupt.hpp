// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace kernbench::common {

/// Makes SIGINT and SIGTERM delete all temporary files and end the process with exit code 130.
/// SIGHUP and SIGPIPE delete them too and then end the process as they do by default. A signal that
/// the caller of the program ignores stays ignored. Call it once, at the start of the program.
void clean_up_on_signals();

/// Makes the first SIGINT and the first SIGTERM set a flag, so that a run can stop cleanly and
/// leave no partial files. A second signal of the same kind ends the process as after
/// clean_up_on_signals(). At most one guard may exist at a time; its destructor restores the
/// previous handlers.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction old_int_ {};
  struct sigaction old_term_ {};
};

/// Returns true if a signal has arrived since the guard was installed. Cheap and thread-safe.
[[nodiscard]] bool interrupted();
/// Returns the last signal since the guard was installed, or 0.
[[nodiscard]] int interrupting_signal();

}  // namespace kernbench::common

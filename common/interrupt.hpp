// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kernbench::common {

/// Thrown where work that was given up after SIGINT or SIGTERM cannot return. It is not an error,
/// and not a std::exception.
struct Interrupted {};

/// Makes SIGINT and SIGTERM end the programs that this process waits for, delete all temporary
/// files and end the process with exit code 130. SIGHUP and SIGPIPE do the same and then end the
/// process as they do by default. A signal that the caller of the program ignores stays ignored.
/// Ignores SIGXFSZ, so that a file above the limit of its size fails as on a full disk. Call it
/// once, at the start of the program.
void clean_up_on_signals();

/// Makes the first SIGINT and the first SIGTERM set a flag, so that a run can stop cleanly and
/// leave no partial files. A run that has not ended 1.5 s later, and a second signal of the same
/// kind, end the process as after clean_up_on_signals(). Guards may overlap, in any threads: the
/// first one clears the flag, and the last one restores the previous handlers.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

/// Returns true if a signal has arrived since the guard was installed. Cheap and thread-safe.
[[nodiscard]] bool interrupted();
/// Returns the last signal since the guard was installed, or 0.
[[nodiscard]] int interrupting_signal();

}  // namespace kernbench::common

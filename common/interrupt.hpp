// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace kernbench::common {

/// Makes the first SIGINT and the first SIGTERM set a flag, so that a run can stop cleanly and
/// leave no partial files. A second signal of the same kind terminates the process. At most one
/// guard may exist at a time; its destructor restores the previous handlers.
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

}  // namespace kernbench::common

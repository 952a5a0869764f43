#pragma once

#include <csignal>

namespace kernbench::common {

/// While it lives, SIGINT and SIGTERM only set a flag, so that a run can end in order and leave
/// nothing half-written. The second signal of a kind acts as it did before: it ends the process.
/// At most one at a time; restores the former handlers.
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

/// Whether a signal has arrived since the guard was installed. Cheap; any thread may ask.
[[nodiscard]] bool interrupted();

}  // namespace kernbench::common

// SPDX-License-Identifier: Apache-2.0
#include "common/interrupt.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <mutex>

#include "common/outcome.hpp"
#include "common/supervised_program.hpp"
#include "common/temporary_files.hpp"

namespace kernbench::common {
namespace {

/// From the first signal of a guard to the end of a run that has not ended by itself.
constexpr itimerval kCleanUpLimit{.it_interval = {}, .it_value = {.tv_sec = 1, .tv_usec = 500'000}};
constexpr itimerval kNoLimit{};

std::atomic<int> g_signal{0};
static_assert(std::atomic<int>::is_always_lock_free,
              "a signal handler may only use lock-free atomics");

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

extern "C" void end_interrupted(int /*signal*/) {
  end_programs();
  remove_temporary_files();
  _exit(exit_code(Outcome::Interrupted));
}

extern "C" void end_by_signal(int signal) {
  end_programs();
  remove_temporary_files();
  handle(signal, SIG_DFL);
  (void)raise(signal);  // delivered when this handler returns
}

extern "C" void on_interrupt(int signal) {
  g_signal.store(signal, std::memory_order_relaxed);
  // For a run that does not look at the flag in time.
  handle(SIGALRM, end_interrupted);
  setitimer(ITIMER_REAL, &kCleanUpLimit, nullptr);
  handle(signal, end_interrupted);
}

/// The guards that exist, and the handlers that the first one replaced.
struct Guards {
  std::mutex mutex{};
  unsigned count = 0;
  struct sigaction old_int {};
  struct sigaction old_term {};
};

Guards& all_guards() {
  static Guards guards;
  return guards;
}

}  // namespace

void clean_up_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction present {};
    sigaction(signal, nullptr, &present);
    if (present.sa_handler == SIG_IGN) continue;
    handle(signal, signal == SIGINT || signal == SIGTERM ? end_interrupted : end_by_signal);
  }
  handle(SIGXFSZ, SIG_IGN);  // a file above the limit of its size is an error of write()
}

InterruptGuard::InterruptGuard() {
  Guards& guards = all_guards();
  const std::scoped_lock lock(guards.mutex);
  if (guards.count++ != 0) return;
  g_signal.store(0, std::memory_order_relaxed);
  sigaction(SIGINT, nullptr, &guards.old_int);
  sigaction(SIGTERM, nullptr, &guards.old_term);
  handle(SIGINT, on_interrupt);
  handle(SIGTERM, on_interrupt);
}

InterruptGuard::~InterruptGuard() {
  Guards& guards = all_guards();
  const std::scoped_lock lock(guards.mutex);
  if (--guards.count != 0) return;
  if (interrupted()) setitimer(ITIMER_REAL, &kNoLimit, nullptr);
  sigaction(SIGINT, &guards.old_int, nullptr);
  sigaction(SIGTERM, &guards.old_term, nullptr);
}

bool interrupted() {
  return interrupting_signal() != 0;
}

int interrupting_signal() {
  return g_signal.load(std::memory_order_relaxed);
}

}  // namespace kernbench::common

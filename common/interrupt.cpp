// SPDX-License-Identifier: Apache-2.0
#include "common/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <mutex>

#include "common/child_process.hpp"
#include "common/outcome.hpp"
#include "common/temporary_files.hpp"

namespace kernbench::common {
namespace {

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

// SPDX-License-Identifier: Apache-2.0
#include "common/interrupt.hpp"

#include <unistd.h>

#include <atomic>

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
  remove_temporary_files();
  _exit(exit_code(Outcome::Interrupted));
}

extern "C" void end_by_signal(int signal) {
  remove_temporary_files();
  handle(signal, SIG_DFL);
  (void)raise(signal);  // delivered when this handler returns
}

extern "C" void on_interrupt(int signal) {
  g_signal.store(signal, std::memory_order_relaxed);
  handle(signal, end_interrupted);
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
  g_signal.store(0, std::memory_order_relaxed);
  sigaction(SIGINT, nullptr, &old_int_);
  sigaction(SIGTERM, nullptr, &old_term_);
  handle(SIGINT, on_interrupt);
  handle(SIGTERM, on_interrupt);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGTERM, &old_term_, nullptr);
}

bool interrupted() {
  return interrupting_signal() != 0;
}

int interrupting_signal() {
  return g_signal.load(std::memory_order_relaxed);
}

}  // namespace kernbench::common

// SPDX-License-Identifier: Apache-2.0
#include "common/crash_handler.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "common/outcome.hpp"
#include "common/sanitized.hpp"
#include "common/temporary_files.hpp"
#include "common/terminal.hpp"

namespace kernbench::common {

void FixedText::add(std::string_view text) {
  const std::size_t added = std::min(text.size(), characters_.size() - size_);
  std::copy_n(text.data(), added, characters_.data() + size_);
  size_ += added;
}

void FixedText::add_number(std::uint64_t number, unsigned base) {
  std::array<char, 64> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), number, static_cast<int>(base));
  add({digits.data(), static_cast<std::size_t>(end.ptr - digits.data())});
}

namespace {

constexpr std::array kFaults = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::size_t kStackBytes = std::size_t{64} << 10U;
constexpr std::size_t kMaxFrames = 16;
constexpr std::uintptr_t kNullPage = 4096;
constexpr unsigned kMostSeconds =
    5;  ///< for the report, which may wait for a lock of the C library

struct NamedLibrary {
  std::string path;
  std::string name;
};

/// State of the handler. A process has one, as it has one table of signal actions.
struct Handler {
  DescribeCrash describe = nullptr;  ///< null until report_crashes()
  FixedText mark;                    ///< "error: ", in red on a terminal
  bool core = false;                 ///< the signal ends the process
  std::atomic<int> exit_code{-1};
  std::atomic<bool> reporting{false};
  pthread_t reporter{};  ///< the thread that reports, once `reporting`
  CrashScene scene;
  FixedText report;
  FixedText terminated;  ///< reason of std::terminate(); empty if it was not called
  std::vector<NamedLibrary> libraries;
};
Handler g_handler;

constinit thread_local const CrashWatch* g_watch = nullptr;

void add_hex(FixedText& text, const void* address) {
  text.add("0x");
  text.add_number(reinterpret_cast<std::uintptr_t>(address), 16);
}

void add_address(FixedText& text, const char* what, const void* address) {
  text.add(what);
  text.add(" at address ");
  add_hex(text, address);
  if (reinterpret_cast<std::uintptr_t>(address) < kNullPage) text.add(", a null pointer");
}

void add_reason(FixedText& text, int signal, const siginfo_t& info, const CrashScene& scene) {
  if (scene.stack_bytes != 0) {
    text.add("stack overflow: the stack has ");
    text.add_number(scene.stack_bytes >> 10U);
    text.add(" KiB; the reason is endless recursion or a large local variable");
    return;
  }
  switch (signal) {
    case SIGSEGV:
      if (info.si_code <= 0) return text.add("the signal SIGSEGV was raised");
      // The processor reports no address for one outside of its range of addresses.
      if (info.si_code == SI_KERNEL) return text.add("segmentation fault: invalid address");
      return add_address(text, "segmentation fault", info.si_addr);
    case SIGBUS:
      return add_address(text, "bus error", info.si_addr);
    case SIGFPE:
      return text.add(info.si_code == FPE_INTDIV ? "integer division by 0"
                                                 : "arithmetic exception");
    case SIGILL:
      return text.add(
          "illegal instruction, which compilers insert for code whose behaviour is undefined");
    default:
      text.add(g_handler.terminated.view().empty() ? "abort() was called"
                                                   : g_handler.terminated.view());
  }
}

/// Adds a line for each stack frame. Offsets, unlike addresses, are the same in each run.
void add_frames(FixedText& text, void* const* frames, std::size_t count) {
  bool own = false;
  for (std::size_t i = 0; i < count; ++i) {
    // All but the first are return addresses: the call is the instruction before.
    const char* const at = static_cast<const char*>(frames[i]) - (i == 0 ? 0 : 1);
    Dl_info info{};
    if (dladdr(at, &info) == 0 || info.dli_fname == nullptr) {
      text.add("\n  at ");
      add_hex(text, at);
      continue;
    }
    const char* const slash = std::strrchr(info.dli_fname, '/');
    text.add("\n  at ");
    text.add(slash == nullptr ? info.dli_fname : slash + 1);
    text.add("+");
    text.add("0x");
    text.add_number(static_cast<std::uint64_t>(at - static_cast<const char*>(info.dli_fbase)), 16);
    if (info.dli_sname != nullptr) {
      text.add(" ");
      text.add(info.dli_sname);
    } else {
      own = true;
    }
  }
  if (own) text.add("\n  `addr2line -Cfpe PROGRAM OFFSET` names the function of an offset");
}

/// A named library on the stack.
struct Blamed {
  const NamedLibrary* library = nullptr;  ///< null if there is none
  bool at_fault = false;  ///< its code was running; otherwise the program's, which it had called
};

/// Finds the library of the first frame that is in one. Frames of system libraries, such as of
/// abort(), do not count as the program's.
Blamed blame(void* const* frames, std::size_t count) {
  if (g_handler.libraries.empty()) return {};
  Dl_info own{};
  (void)dladdr(reinterpret_cast<const void*>(&report_crashes), &own);
  // on_terminate() is the program's, but runs in place of the code that failed.
  std::size_t skipped = g_handler.terminated.view().empty() ? 0 : 1;
  bool at_fault = true;
  for (std::size_t i = 0; i < count; ++i) {
    Dl_info info{};
    const char* const at = static_cast<const char*>(frames[i]) - (i == 0 ? 0 : 1);
    if (dladdr(at, &info) == 0 || info.dli_fname == nullptr) continue;
    for (const NamedLibrary& library : g_handler.libraries) {
      if (library.path == info.dli_fname) return {&library, at_fault};
    }
    if (info.dli_fbase != own.dli_fbase) continue;
    if (skipped > 0) {
      --skipped;
    } else {
      at_fault = false;
    }
  }
  return {};
}

/// Adds "kernel 'k' on sip0.cube0.pe0 crashed after ..., in plugin 'mine' 1.0 (./libmine.so)".
void add_culprit(FixedText& text, const CrashScene& scene, const Blamed& blamed) {
  const bool known = !scene.who.view().empty();
  if (blamed.library == nullptr) return text.add(known ? scene.who.view() : "internal error");
  if (!known && blamed.at_fault) {
    text.add(blamed.library->name);
    return text.add(" crashed");
  }
  text.add(known ? scene.who.view() : "internal error");
  text.add(blamed.at_fault ? ", in " : ", called by ");
  text.add(blamed.library->name);
}

void set_action(int signal, void (*action)(int)) {
  struct sigaction handling {};
  handling.sa_handler = action;
  sigemptyset(&handling.sa_mask);
  sigaction(signal, &handling, nullptr);
}

extern "C" void end_report(int /*signal*/) {
  _exit(g_handler.exit_code.load());
}

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Lets the signal end the process, so that the system writes a core file.
void let_signal_end(int signal, const siginfo_t& info) {
  set_action(signal, SIG_DFL);
  sigset_t only{};
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  // A faulting instruction is repeated when the handler returns, and faults again.
  if (info.si_code <= 0) (void)raise(signal);
}

extern "C" [[gnu::noinline]] void on_fault(int signal, siginfo_t* info, void* /*context*/) {
  Handler& handler = g_handler;
  // A signal of another process, such as kill -ABRT.
  if ((info->si_code == SI_USER || info->si_code == SI_QUEUE) && info->si_pid != getpid()) {
    remove_temporary_files();
    return let_signal_end(signal, *info);
  }
  if (handler.reporting.exchange(true)) {
    // A fault of the report itself ends it. Another thread waits for the end of the process.
    if (handler.exit_code.load() >= 0 && pthread_equal(handler.reporter, pthread_self()) != 0) {
      end_report(signal);
    }
    for (;;) pause();
  }
  handler.reporter = pthread_self();
  handler.exit_code.store(exit_code(Outcome::InternalError));
  set_action(SIGALRM, end_report);
  alarm(kMostSeconds);

  CrashScene& scene = handler.scene;
  const bool has_address = (signal == SIGSEGV || signal == SIGBUS) && info->si_code > 0;
  handler.describe(has_address ? info->si_addr : nullptr, scene);
  constexpr std::size_t kOwnFrames = 2;  // this function, and the return from a signal
  std::array<void*, kMaxFrames + kOwnFrames> all_frames{};
  const auto found = backtrace(all_frames.data(), all_frames.size());
  const std::size_t count =
      std::max<std::size_t>(static_cast<std::size_t>(std::max(found, 0)), kOwnFrames) - kOwnFrames;
  void* const* const frames = all_frames.data() + kOwnFrames;
  const Blamed blamed = blame(frames, count);
  if (scene.user_code || (blamed.library != nullptr && blamed.at_fault)) {
    handler.exit_code.store(exit_code(Outcome::Mismatch));
  }
  FixedText& report = handler.report;
  report.add(handler.mark.view());
  if (g_watch != nullptr) report.add(g_watch->label());
  add_culprit(report, scene, blamed);
  report.add(": ");
  add_reason(report, signal, *info, scene);
  add_frames(report, frames, count);
  report.add("\n");
  write_all(report.view());
  remove_temporary_files();
  // Output of the kernel itself may explain the crash. The crash may be in the middle of it.
  if (ftrylockfile(stdout) == 0) (void)fflush(stdout);
  if (handler.core) return let_signal_end(signal, *info);
  _exit(handler.exit_code.load());
}

[[noreturn]] void on_terminate() {
  FixedText& text = g_handler.terminated;
  if (text.view().empty()) {
    text.add("std::terminate() was called");
    if (const std::exception_ptr thrown = std::current_exception()) {
      try {
        std::rethrow_exception(thrown);
      } catch (const std::exception& error) {
        text.add(" for an exception that cannot be caught: ");
        text.add(error.what());
      } catch (...) {
        text.add(" for an exception that cannot be caught and is not a std::exception");
      }
    }
  }
  std::abort();
}

}  // namespace

bool report_crashes(DescribeCrash describe) {
  if (kSanitized) return false;
  g_handler.describe = describe;
  g_handler.mark.clear();
  // Removes the line of a progress display.
  if (is_terminal(STDERR_FILENO)) g_handler.mark.add("\r\x1b[K\x1b[?7h");
  g_handler.mark.add(red("error:", colour_for(STDERR_FILENO)) + " ");
  const char* const core = std::getenv("KERNBENCH_CORE");  // NOLINT(concurrency-mt-unsafe)
  g_handler.core = core != nullptr && std::string_view(core) == "1";
  std::array<void*, 1> frame{};
  (void)backtrace(frame.data(), 1);  // loads the unwinder, which allocates
  std::set_terminate(on_terminate);
  struct sigaction handling {};
  handling.sa_sigaction = on_fault;
  sigfillset(&handling.sa_mask);
  for (const int fault : kFaults) sigdelset(&handling.sa_mask, fault);
  sigdelset(&handling.sa_mask, SIGALRM);
  // SA_NODEFER: a fault of the report runs the handler again, which ends the process.
  handling.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int fault : kFaults) sigaction(fault, &handling, nullptr);
  return true;
}

void name_library(std::string path, std::string name) {
  g_handler.libraries.push_back({std::move(path), std::move(name)});
}

CrashWatch::CrashWatch(std::string label) : label_(std::move(label)) {
  if (g_handler.describe == nullptr || g_watch != nullptr) return;
  void* const memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return;  // a crash is then reported, except for a stack overflow
  stack_ = memory;
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = kStackBytes;
  sigaltstack(&stack, nullptr);
  g_watch = this;
}

CrashWatch::~CrashWatch() {
  if (stack_ == nullptr) return;
  g_watch = nullptr;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  munmap(stack_, kStackBytes);
}

}  // namespace kernbench::common

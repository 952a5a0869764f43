// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kernbench::common {

/// A text of limited length, for signal handlers, which must not allocate. Text beyond the limit is
/// dropped.
class FixedText {
 public:
  void add(std::string_view text);
  void add_number(std::uint64_t number, unsigned base = 10);
  void clear() { size_ = 0; }
  [[nodiscard]] std::string_view view() const { return {characters_.data(), size_}; }

 private:
  std::array<char, 8192> characters_{};
  std::size_t size_ = 0;
};

/// The activity of a thread at the time of a crash.
struct CrashScene {
  FixedText who;                ///< "kernel 'k' on ... crashed after ..."; empty if unknown
  bool user_code = false;       ///< the fault is in a kernel: exit code 1 instead of 5
  std::size_t stack_bytes = 0;  ///< size of the stack that overflowed; 0 if none did
};

/// Describes the activity of the calling thread. `address` is the address of an invalid access, or
/// null. Called in a signal handler.
using DescribeCrash = void (*)(const void* address, CrashScene& scene);

/// Makes SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT and std::terminate() print an error with the
/// scene and a back trace, delete temporary files, and end the process with exit code 1 for user
/// code and 5 otherwise. With KERNBENCH_CORE=1 in the environment the signal then ends the process,
/// so that the system can write a core file. Call it before any other thread runs. Returns false,
/// and does nothing, in a build with a sanitizer, which reports crashes itself.
bool report_crashes(DescribeCrash describe);

/// Gives the code of a loaded library a name in crash reports, such as "plugin 'mine' 1.0
/// (./libmine.so)". `path` is that given to dlopen. A fault in the library's code is one of user
/// code. Call it before any other thread runs.
void name_library(std::string path, std::string name);

/// Gives the calling thread a stack for its crash report, so that it can report the overflow of its
/// own stack. Within another watch of the thread it does nothing.
class CrashWatch {
 public:
  /// `label` begins the error message: "bench 'gemm': ".
  explicit CrashWatch(std::string label);
  ~CrashWatch();
  CrashWatch(const CrashWatch&) = delete;
  CrashWatch& operator=(const CrashWatch&) = delete;

  [[nodiscard]] std::string_view label() const { return label_; }

 private:
  std::string label_;
  void* stack_ = nullptr;  ///< null if this watch does nothing
};

}  // namespace kernbench::common

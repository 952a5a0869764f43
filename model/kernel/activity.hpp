#pragma once

#include <atomic>
#include <string>

#include "model/data/op_log.hpp"

namespace kernbench::model::kernel {

/// What the kernel on a PE does. A watchdog may read it in another thread.
class Activity {
 public:
  /// `kernel` must live until end().
  void begin(const char* kernel) {
    op_.store(nullptr, kOrder);
    kernel_.store(kernel, kOrder);
    computing_.store(true, kOrder);
  }
  void end() { kernel_.store(nullptr, kOrder); }
  /// The kernel asks for an operation; `op` is a literal.
  void call(const char* op, const data::SourceLine& line) {
    op_.store(op, kOrder);
    file_.store(line.file, kOrder);
    line_.store(line.line, kOrder);
  }
  /// The kernel's own code runs, or waits for an operation.
  void set_computing(bool computing) { computing_.store(computing, kOrder); }

  /// "" when no kernel runs.
  [[nodiscard]] std::string kernel() const;
  [[nodiscard]] bool computing() const { return computing_.load(kOrder); }
  /// The operation that was asked for last: "tl.load at softmax.cpp:31"; "" before any.
  [[nodiscard]] std::string last_operation() const;

 private:
  static constexpr std::memory_order kOrder = std::memory_order_relaxed;
  std::atomic<const char*> kernel_ = nullptr;
  std::atomic<const char*> op_ = nullptr;
  std::atomic<const char*> file_ = "";
  std::atomic<int> line_ = 0;
  std::atomic<bool> computing_ = false;
};

}  // namespace kernbench::model::kernel

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>

#include "common/api.hpp"
#include "model/data/op_log.hpp"
#include "model/engine/fiber.hpp"
#include "model/memory/pe_allocator.hpp"

namespace kernbench::model::kernel {

/// The current activity of a PE's kernel. A watchdog may read it from another thread, and the
/// handler of a crash.
class KERNBENCH_API Activity final : public engine::FiberWork {
 public:
  /// Names the PE. Call it before any kernel begins.
  void set_pe(const memory::PeLocation& pe) { pe_ = pe; }
  [[nodiscard]] const memory::PeLocation& pe() const { return pe_; }

  /// Starts a kernel. Other threads may still read the name after end(), so it must outlive the
  /// activity.
  void begin(const char* kernel) {
    op_.store(nullptr, kOrder);
    kernel_.store(kernel, kOrder);
    computing_.store(true, kOrder);
  }
  void end() { kernel_.store(nullptr, kOrder); }
  [[nodiscard]] bool is_running() const { return kernel_.load(kOrder) != nullptr; }
  /// Notes that the kernel calls an operation; `op` is a literal.
  void call(const char* op, const data::SourceLine& line) {
    op_.store(op, kOrder);
    file_.store(line.file, kOrder);
    line_.store(line.line, kOrder);
  }
  /// Notes that the kernel's own code runs (true) or waits for an operation (false).
  void set_computing(bool computing) { computing_.store(computing, kOrder); }

  /// Returns the name of the running kernel, or "".
  [[nodiscard]] std::string kernel() const;
  [[nodiscard]] bool computing() const { return computing_.load(kOrder); }
  /// Returns the latest operation, such as "tl.load at softmax.cpp:31", or "" before the first.
  [[nodiscard]] std::string last_operation() const;
  bool describe_crash(common::FixedText& text) const override;

 private:
  static constexpr std::memory_order kOrder = std::memory_order_relaxed;
  memory::PeLocation pe_;
  std::atomic<const char*> kernel_ = nullptr;
  std::atomic<const char*> op_ = nullptr;
  std::atomic<const char*> file_ = "";
  std::atomic<int> line_ = 0;
  std::atomic<bool> computing_ = false;
};

}  // namespace kernbench::model::kernel

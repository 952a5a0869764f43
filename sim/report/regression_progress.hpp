// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "common/progress.hpp"

namespace kernbench::sim {

/// Counts the work of a regression for its progress line. Thread-safe.
class RegressionProgress {
 public:
  /// `planned_cycles` are those of all cases; 0 if unknown.
  RegressionProgress(std::size_t cases, std::uint64_t planned_cycles)
      : all_cases_(cases), planned_cycles_(planned_cycles) {}

  /// Adds the cycles that a case has executed since the last call.
  void add_cycles(std::uint64_t cycles) { cycles_ += cycles; }
  void case_done(bool passed, std::uint64_t packets);

  [[nodiscard]] common::ProgressState state() const;

 private:
  [[nodiscard]] double share_done() const;

  const std::size_t all_cases_;
  const std::uint64_t planned_cycles_;
  std::atomic<std::size_t> cases_{0};
  std::atomic<std::size_t> failed_{0};
  std::atomic<std::uint64_t> cycles_{0};
  std::atomic<std::uint64_t> packets_{0};
};

}  // namespace kernbench::sim

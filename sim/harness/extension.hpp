// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/failure.hpp"
#include "sim/harness/cycle_view.hpp"
#include "sim/harness/run_end.hpp"

namespace kernbench::sim {

/// A checker, collector or recorder attached to a harness. The harness calls `before` once before
/// the first cycle, `on_cycle` in every cycle, and `after` once after the last.
class Extension {
 public:
  Extension() = default;
  Extension(const Extension&) = delete;
  Extension& operator=(const Extension&) = delete;
  virtual ~Extension() = default;

  virtual void before() {}
  virtual void on_cycle(const CycleView& view) = 0;
  virtual void after(const RunEnd& /*end*/) {}

  /// The first failures found so far; failure_count() counts all of them.
  [[nodiscard]] const std::vector<Failure>& failures() const { return failures_; }
  [[nodiscard]] std::uint64_t failure_count() const { return failure_count_; }
  /// Makes a checker that others ask keep no failure: its verdict is not wanted.
  void mute() { muted_ = true; }
  /// Number of comparisons so far. An attached checker that compared nothing makes a run vacuous.
  [[nodiscard]] virtual std::uint64_t checks() const { return 0; }

 protected:
  void fail(Failure failure) {
    if (muted_) return;
    ++failure_count_;
    if (failures_.size() < kKeptFailures) failures_.push_back(std::move(failure));
  }

  /// Failures that a checker may correct when it learns more about them.
  [[nodiscard]] std::vector<Failure>& kept_failures() { return failures_; }

 private:
  static constexpr std::size_t kKeptFailures = 20;
  std::vector<Failure> failures_;
  std::uint64_t failure_count_ = 0;
  bool muted_ = false;
};

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/failure.hpp"
#include "sim/harness/extension.hpp"

namespace kernbench::sim {

/// Summary of one checker at the end of a run.
struct CheckerResult {
  std::string name;
  std::uint64_t checks = 0;    ///< comparisons made
  std::uint64_t failures = 0;  ///< failures found, including those that were not kept
};

/// The checkers of one run, by name and in the order in which they were added.
class CheckerSet {
 public:
  /// `checker` must outlive the set. `name` is that of Failure::checker.
  void add(std::string name, Extension& checker);
  /// Adds one that results() leaves out while it has no failure.
  void add_silent(std::string name, Extension& checker);
  /// Attaches all checkers to a Harness or a CycleRunner.
  template <class Runner>
  void attach_to(Runner& runner) const {
    for (const Entry& entry : entries_) runner.add(*entry.checker);
  }

  /// True without any checker but silent ones.
  [[nodiscard]] bool empty() const;
  [[nodiscard]] bool contains(std::string_view name) const;
  /// Returns one result per checker, in the order of the set.
  [[nodiscard]] std::vector<CheckerResult> results() const;
  /// Returns the failures that the checkers kept, by cycle; ties in the order of the set.
  [[nodiscard]] std::vector<Failure> failures() const;

 private:
  struct Entry {
    std::string name;
    Extension* checker;
    bool silent = false;
  };
  std::vector<Entry> entries_;
};

/// Returns the first checker that compared nothing, or null. The watchdog is exempt: its window may
/// be longer than the run.
[[nodiscard]] const CheckerResult* first_idle(std::span<const CheckerResult> checkers);

}  // namespace kernbench::sim

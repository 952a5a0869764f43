// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>

namespace kernbench::sim {

/// Amount of work.
struct ProgressGoal {
  std::size_t cases = 0;
  std::uint64_t cycles = 0;  ///< planned cycles of all cases; 0: unknown, count cases only
};

/// Shows the progress of a long run. On a terminal, rewrites one line at most ten times a second.
/// Elsewhere, adds a line every ten seconds, so that the log of a short run stays empty.
/// Thread-safe.
class Progress {
 public:
  /// Returns seconds of a monotonic clock.
  using Clock = std::function<double()>;

  Progress(std::ostream& out, bool terminal, ProgressGoal goal);
  Progress(std::ostream& out, bool terminal, ProgressGoal goal, Clock clock);
  /// Removes the line from the terminal.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Adds the cycles that a case has executed since the last call.
  void add_cycles(std::uint64_t cycles);
  void case_done(bool passed, std::uint64_t packets);
  /// Prints a permanent line above the progress line.
  void note(const std::string& line);

 private:
  void show_if_due();
  void show();
  void clear();
  [[nodiscard]] std::string line(double now) const;
  [[nodiscard]] double share_done() const;

  std::ostream& out_;
  const bool terminal_;
  const ProgressGoal goal_;
  const Clock clock_;
  const double start_;

  std::mutex mutex_;  ///< protects all members below
  double shown_at_;
  bool line_visible_ = false;
  std::size_t cases_ = 0;
  std::size_t failed_ = 0;
  std::uint64_t cycles_ = 0;
  std::uint64_t packets_ = 0;
};

}  // namespace kernbench::sim

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>

namespace kernbench::sim {

/// How much work there is.
struct ProgressGoal {
  std::size_t cases = 0;
  std::uint64_t cycles = 0;  ///< planned, over all cases; 0: unknown, cases alone are the measure
};

/// Shows how far a long run is. On a terminal one line is rewritten at most ten times a second;
/// elsewhere a line is added every ten seconds, so that a log of a short run stays empty.
/// Any thread may call any function.
class Progress {
 public:
  /// Seconds on a clock that never goes back.
  using Clock = std::function<double()>;

  Progress(std::ostream& out, bool terminal, ProgressGoal goal);
  Progress(std::ostream& out, bool terminal, ProgressGoal goal, Clock clock);
  /// Removes the line from the terminal.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Cycles run since the last call, while a case runs.
  void add_cycles(std::uint64_t cycles);
  void case_done(bool passed, std::uint64_t packets);
  /// Prints a line of its own that stays, above the progress line.
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

  std::mutex mutex_;  ///< of all below
  double shown_at_;
  bool line_visible_ = false;
  std::size_t cases_ = 0;
  std::size_t failed_ = 0;
  std::uint64_t cycles_ = 0;
  std::uint64_t packets_ = 0;
};

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <thread>

namespace kernbench::common {

/// State of a run, for its progress line.
struct ProgressState {
  std::optional<double> share;  ///< finished part of the work, 0 to 1; absent if unknown
  std::string text;             ///< for example "3/6 cases"
};

/// Shows the progress of a long run in one line of a terminal, from two seconds after its begin to
/// its end. Does not affect the run: a thread of its own asks for the state.
class Progress {
 public:
  using Describe = std::function<ProgressState()>;  ///< called from any thread
  using Clock = std::function<double()>;            ///< returns seconds of a monotonic clock

  /// Shows the line on standard error, in place of that of an older object. Shows nothing if
  /// standard error is not a terminal, and after turn_off().
  explicit Progress(Describe describe);
  /// Shows the line on `out` when refresh() is called.
  Progress(std::ostream& out, Describe describe, Clock clock);
  /// Removes the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows the line if that is due.
  void refresh();
  /// Removes the line until the next refresh().
  void hide();

  /// Removes the line on standard error, if there is one, so that other text can be printed.
  static void make_room();
  /// Makes all objects show nothing on standard error from now on.
  static void turn_off();

 private:
  void keep_refreshing(const std::stop_token& stop);
  [[nodiscard]] std::string line(double elapsed) const;

  std::ostream& out_;
  const Describe describe_;
  const Clock clock_;
  const double start_;

  std::mutex mutex_;  ///< protects the members below
  double due_at_;
  bool visible_ = false;
  std::condition_variable_any stopping_;
  std::jthread thread_;
};

/// Progress of a run that consists of a known number of similar steps.
class StepProgress {
 public:
  /// `steps` names them: "points".
  StepProgress(std::string steps, std::size_t total);

  /// Counts a finished step. Thread-safe.
  void step() { ++done_; }

 private:
  const std::string steps_;
  const std::size_t total_;
  std::atomic<std::size_t> done_{0};
  Progress progress_;
};

}  // namespace kernbench::common

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/outcome.hpp"
#include "farm/job.hpp"

namespace kernbench::farm {

/// The folder of job files and their results beside a database. Only one process at a time has it.
class JobFolder {
 public:
  /// Makes the folder and locks it. Throws BadInput when another process keeps it for two seconds.
  explicit JobFolder(const std::filesystem::path& database);
  /// Removes the folder if nothing is left in it.
  ~JobFolder();
  JobFolder(const JobFolder&) = delete;
  JobFolder& operator=(const JobFolder&) = delete;

  /// Returns the path of the folder of a database.
  [[nodiscard]] static std::filesystem::path path_of(const std::filesystem::path& database);
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Returns the results that a killed process has left.
  [[nodiscard]] std::vector<PointResult> left_results() const;
  /// Removes all files of jobs, or all but their logs.
  void clear(bool with_logs = true) const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

/// The work for an engine.
struct Work {
  std::string kernbench;              ///< runs `job run`
  std::string program = {};           ///< runs the points; empty: `kernbench`
  std::filesystem::path folder = {};  ///< current folder of the commands
  std::vector<std::string> targets = {};
  std::vector<JobPoint> points = {};
};

/// How often a point is started before it counts as failed.
inline constexpr std::uint32_t kMaxAttempts = 3;

/// Queues the points that an ended process has not finished. Those that it started count an
/// attempt. Returns the results of those that were started kMaxAttempts times, with `message` and
/// `targets` empty targets.
[[nodiscard]] std::vector<PointResult> queue_again(std::map<std::string, JobPoint>& points,
                                                   const std::set<std::string>& started,
                                                   std::deque<JobPoint>& todo, std::size_t targets,
                                                   const std::string& message);

/// Runs the points in up to `processes` processes on this machine. `take` gets results as they
/// arrive, in the main thread, and keeps them: their files are removed afterwards. A point whose
/// process ended too early is started again, kMaxAttempts times at most. Returns Interrupted if a
/// signal stopped the work.
common::Outcome run_locally(const Work& work, const JobFolder& jobs, unsigned processes,
                            const std::function<void(const std::vector<PointResult>&)>& take);

}  // namespace kernbench::farm

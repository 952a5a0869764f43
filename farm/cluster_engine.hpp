// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/outcome.hpp"
#include "farm/engine.hpp"
#include "farm/local_engine.hpp"

namespace kernbench::farm {

/// Settings of a run on a cluster.
struct ClusterSettings {
  Engine engine;
  std::map<std::string, std::string> options;  ///< options of the engine, such as partition
  std::vector<std::string> further;            ///< words for the submit command, as they are
  double chunk_s = 60;                         ///< seconds of work for a task
  bool dry_run = false;                        ///< print the command that submits, and run nothing
};

/// Returns the numbers of points of the tasks that run `points` points: at most `most` in each, and
/// fewer at the end, so that `nodes` nodes end at about the same time.
[[nodiscard]] std::vector<std::size_t> chunk_sizes(std::size_t points, double most,
                                                   std::size_t nodes);

/// Runs the points as tasks of a cluster. `take` gets results as they arrive, as with
/// run_locally(). The first tasks show whether the nodes share the folder of the jobs. A point
/// whose task was lost or killed runs again, kMaxAttempts times at most; its message then has the
/// node and the log. Returns Interrupted if a signal stopped the work, after the tasks are
/// cancelled. Throws common::BadInput when the cluster refuses the work or nodes do not see the
/// folder.
common::Outcome run_on_cluster(const Work& work, const JobFolder& jobs,
                               const ClusterSettings& settings,
                               const std::function<void(const std::vector<PointResult>&)>& take);

/// Returns the command that submits the first task of a folder of jobs.
[[nodiscard]] std::string submit_text(const Work& work, const std::filesystem::path& jobs,
                                      const ClusterSettings& settings);

/// Cancels tasks that a killed process has left on a cluster, and returns when none of them runs.
void cancel_left_tasks(const JobFolder& jobs);

}  // namespace kernbench::farm

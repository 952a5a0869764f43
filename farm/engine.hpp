// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "common/input_kind.hpp"

namespace kernbench::farm {

/// Three commands of the shell that run arrays of tasks on a cluster, read from a file such as
/// configs/engines/slurm.yaml. docs/sweeps.md describes the format.
struct Engine {
  std::string file;
  std::string submit;
  std::string poll;  ///< prints a line for each task: number, state, node and detail
  std::string cancel;
  std::map<std::string, std::string> options;  ///< words of each option, with {value}
  double poll_s = 2;                           ///< seconds from one poll to the next
  double late_files_s = 10;  ///< seconds after which this host sees what a node has written
};

extern const common::InputKind kEngineFile;

/// Values that stand for the placeholders in the commands of an engine.
struct ArrayOfTasks {
  std::string program;                         ///< runs `job run`
  std::filesystem::path folder;                ///< task 3 runs the job file 3.json there
  std::size_t tasks = 0;                       ///< tasks have numbers from 1 on
  std::map<std::string, std::string> options;  ///< options of the engine, such as partition
  std::vector<std::string> further;            ///< words for the submit command, as they are
  std::set<std::string> avoid = {};            ///< nodes on which tasks do not work
  std::string job = {};                        ///< identifier that the submit command printed
};

/// Reads an engine. Throws common::BadInput with all errors of the file.
[[nodiscard]] Engine read_engine(const std::filesystem::path& path);

/// Returns one of the three commands of an engine for an array. Throws common::BadInput for options
/// that the engine does not have.
[[nodiscard]] std::string command_for(const Engine& engine, const std::string& command,
                                      const ArrayOfTasks& array);

enum class TaskState { Waiting, Running, Finished, Failed, Lost, Cancelled };

/// A task as the cluster sees it.
struct Task {
  TaskState state = TaskState::Waiting;
  std::string node;    ///< empty while there is none
  std::string detail;  ///< such as "exit code 2", may be empty

  [[nodiscard]] bool ended() const {
    return state != TaskState::Waiting && state != TaskState::Running;
  }
};

/// Returns the tasks in the output of a poll command, by number. Throws common::BadInput for a line
/// that is not one of a task.
[[nodiscard]] std::map<std::size_t, Task> tasks_in(const Engine& engine, const std::string& output);

}  // namespace kernbench::farm

template <>
const kernbench::common::Description<kernbench::farm::Engine>& kernbench::common::description_of();

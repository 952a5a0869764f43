// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kernbench::farm {

/// Values that stand for the placeholders in the commands of an engine.
struct ArrayOfTasks {
  std::string program;                         ///< runs `job run`
  std::filesystem::path jobs;                  ///< folder of the job files, which the nodes share
  std::size_t number = 0;                      ///< task 3 of array 1 has job file 1-3.json
  std::size_t tasks = 0;                       ///< tasks have numbers from 1 on
  std::map<std::string, std::string> options;  ///< options of the engine, such as partition
  std::vector<std::string> further;            ///< words for the submit command, as they are
};

/// Three commands that run arrays of tasks on a cluster, read from a file such as
/// configs/engines/slurm.yaml. docs/sweeps.md describes the format.
struct Engine {
  std::string file;
  std::vector<std::string> submit;
  std::string task;               ///< number of a task, in the shell that runs it
  std::vector<std::string> poll;  ///< prints a line for each task: number, state and node
  std::vector<std::string> cancel;
  std::vector<std::string> waiting;  ///< states of tasks that will run
  std::vector<std::string> running;
  std::map<std::string, std::vector<std::string>> options;  ///< words of each, with {value}
  double poll_s = 0;                                        ///< seconds from one poll to the next
  double late_files_s = 0;  ///< seconds after which this host sees what a node has written
};

/// Reads an engine. Throws common::BadInput with all errors of the file.
[[nodiscard]] Engine read_engine(const std::filesystem::path& path);

/// Returns the name of an array on the cluster. It is another for each folder of jobs.
[[nodiscard]] std::string name_of(const ArrayOfTasks& array);
/// Returns the words of a command, one of the three of an engine, for an array. Throws
/// common::BadInput for options that the engine does not have.
[[nodiscard]] std::vector<std::string> words_of(const Engine& engine,
                                                const std::vector<std::string>& command,
                                                const ArrayOfTasks& array);

/// A task of an array that has not ended.
struct Task {
  bool running = false;
  std::string node;
};

/// Returns the tasks in the output of the poll command, by number. Lines of other states are left
/// out. Throws common::BadInput for a line without a number.
[[nodiscard]] std::map<std::size_t, Task> tasks_in(const Engine& engine, const std::string& output);

}  // namespace kernbench::farm

// SPDX-License-Identifier: Apache-2.0
#include "farm/cluster_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <deque>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "farm/child.hpp"

namespace kernbench::farm {
namespace {

namespace fs = std::filesystem;
using common::BadInput;
using common::Outcome;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// Results are read more often than the cluster is asked.
constexpr Seconds kLookAround{0.2};
/// A controller that restarts does not answer for a while.
constexpr Seconds kNoAnswer{300.0};
/// For the tasks to end after a signal; the limit of common/interrupt.hpp is a little longer.
constexpr Seconds kMostAfterSignal{1.0};
/// The most tasks of an array; clusters have limits of their own, 1,001 by default with Slurm.
constexpr std::size_t kMostTasks = 1000;
/// Tasks in a row that end before their first point: the cluster does not work.
constexpr unsigned kMostEmptyTasks = 10;

struct Finished {
  ChildEnd end;
  std::string out;
  std::string err;
};

/// Runs a command of an engine in a shell. A signal ends the wait for a question that `may_stop`;
/// the question has failed then.
Finished run_command(const std::string& command, const std::function<bool()>& may_stop = {}) {
  Child child({"/bin/sh", "-c", "exec 1>&3 3>&-\n" + command}, fs::current_path());
  while (!child.closed()) {
    constexpr int kLookMs = 50;
    Child::collect_of_any({&child}, kLookMs);
    if (may_stop && may_stop()) return {{-1, SIGTERM}, {}, "interrupted"};
  }
  const ChildEnd end = child.wait();
  return {end, child.report_text(), child.error_text()};
}

std::string without_line_end(const std::string& text) {
  return text.substr(0, text.find_last_not_of('\n') + 1);
}

void pause(Seconds time) {
  const auto until = Clock::now() + time;
  while (Clock::now() < until && !common::interrupted()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

/// Cancels an array. A slow controller may take longer than a signal leaves this process, so the
/// command outlives it.
void start_cancel(const std::string& cancel) {
  (void)run_command("( " + cancel + "\n) < /dev/null > /dev/null 2>&1 3>&- &");
}

/// Asks until none of the tasks of an array that was cancelled is left. Returns false if the time
/// after a signal, which began at `start`, is over first.
bool wait_until_cancelled(const std::string& cancel, const std::string& poll, const Engine& engine,
                          Clock::time_point start) {
  const auto late = [&] {
    return common::interrupted() && Clock::now() - start > kMostAfterSignal;
  };
  while (Clock::now() - start < kNoAnswer) {
    const Finished asked = run_command(poll, late);
    if (late()) return false;
    const bool answered = asked.end.exit_code == 0;
    const auto tasks = answered ? tasks_in(engine, asked.out) : std::map<std::size_t, Task>();
    if (answered && std::all_of(tasks.begin(), tasks.end(),
                                [](const auto& one) { return one.second.ended(); })) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(common::interrupted() ? 50 : 500));
  }
  throw BadInput(
      fmt::format("tasks are still on the cluster after '{}'; cancel them and try again", cancel));
}

/// A chunk of points on the cluster.
struct TaskOfArray {
  fs::path job_file;
  fs::path results;
  fs::path log;
  std::string node;
  std::string detail;                      ///< how the cluster says that it ended
  std::uintmax_t taken = 0;                ///< bytes of the results that were read
  std::map<std::string, JobPoint> points;  ///< points without an end
  std::set<std::string> started;
  std::optional<Clock::time_point> ended;  ///< when the cluster first did not run it any more
};

struct Array {
  ArrayOfTasks values;
  fs::path note;  ///< file that lets a later process cancel the array
  std::map<std::size_t, TaskOfArray> tasks;
};

class ClusterEngine {
 public:
  ClusterEngine(const Work& work, const JobFolder& jobs, const ClusterSettings& settings,
                const std::function<void(const std::vector<PointResult>&)>& take)
      : work_(work),
        jobs_(jobs),
        settings_(settings),
        take_(take),
        todo_(work.points.begin(), work.points.end()) {}

  Outcome run() {
    try {
      while (!common::interrupted() && !cancelled_) {
        if (!todo_.empty() && (measured_ > 0 || arrays_.empty())) submit_points();
        if (arrays_.empty() && todo_.empty()) return Outcome::Pass;
        look_after_tasks();
        pause(std::min(kLookAround, Seconds(settings_.engine.poll_s)));
      }
    } catch (...) {
      stop();
      throw;
    }
    stop();
    return Outcome::Interrupted;
  }

 private:
  /// Submits the points that wait. Before the first is measured, a few tasks of one point each.
  void submit_points() {
    constexpr std::size_t kFirstTasks = 4;  // one measures; each costs a turn of the scheduler
    if (measured_ == 0) {
      return submit(std::vector<std::size_t>(std::min(kFirstTasks, todo_.size()), 1));
    }
    const double mean = std::max(seconds_ / static_cast<double>(measured_), 1e-3);
    submit(
        chunk_sizes(todo_.size(), settings_.chunk_s / mean, std::max(most_running_, kFirstTasks)));
  }

  /// Submits an array with a task for each number of points.
  void submit(const std::vector<std::size_t>& sizes) {
    Array array;
    const fs::path folder = jobs_.path() / std::to_string(next_array_++);
    common::ensure_directory(folder);
    array.values = {work_.kernbench,  folder, sizes.size(), settings_.options, settings_.further,
                    nodes_to_avoid(), {}};
    for (std::size_t number = 1; number <= sizes.size(); ++number) {
      array.tasks.emplace(number, new_task(folder / std::to_string(number), sizes[number - 1]));
    }
    const Engine& engine = settings_.engine;
    const Finished submitted = run_command(command_for(engine, engine.submit, array.values));
    if (submitted.end.exit_code != 0) {
      throw BadInput(
          fmt::format("the cluster refused the tasks: {}", without_line_end(submitted.err)));
    }
    array.values.job = without_line_end(submitted.out);
    array.note = folder / "job.array";
    const nlohmann::json note = {{"engine", fs::absolute(engine.file).string()},
                                 {"cancel", command_for(engine, engine.cancel, array.values)},
                                 {"poll", command_for(engine, engine.poll, array.values)}};
    common::write_file_atomically(array.note, note.dump(1) + "\n");
    arrays_.push_back(std::move(array));
  }

  /// Returns a task whose files have this name with their own ends.
  TaskOfArray new_task(const fs::path& name, std::size_t points) {
    TaskOfArray task;
    task.job_file = name.string() + ".json";
    task.results = name.string() + ".results";
    task.log = name.string() + ".log";
    Job job;
    job.program = work_.program;
    job.folder = work_.folder.string();
    job.targets = work_.targets;
    job.results = task.results.string();
    for (; points > 0 && !todo_.empty(); --points) {
      job.points.push_back(std::move(todo_.front()));
      todo_.pop_front();
    }
    common::write_file_atomically(task.job_file, render_job(job));
    for (JobPoint& point : job.points) task.points.emplace(point.key, std::move(point));
    return task;
  }

  void look_after_tasks() {
    const bool poll = Clock::now() - last_poll_ >= Seconds(settings_.engine.poll_s);
    if (poll) last_poll_ = Clock::now();
    for (Array& array : arrays_) {
      const auto known = poll ? ask(array) : std::nullopt;
      for (auto& [number, task] : array.tasks) {
        take_results(task);
        if (!known) continue;
        const auto found = known->find(number);
        if (found != known->end()) look_at(found->second, task);
        const bool ended = found == known->end() || found->second.ended();
        if (!ended) task.ended.reset();
        if (ended && !task.ended) task.ended = Clock::now();
      }
      finish_tasks(array);
    }
    std::erase_if(arrays_, [](const Array& array) {
      if (array.tasks.empty()) remove_folder(array);
      return array.tasks.empty();
    });
  }

  void look_at(const Task& seen, TaskOfArray& task) {
    if (!seen.node.empty()) task.node = seen.node;
    if (!task.started.empty()) note_working_node(task);
    if (seen.ended()) task.detail = seen.detail;
  }

  /// Removes the folder of an array, which may still have logs of tasks that ended early.
  static void remove_folder(const Array& array) {
    std::error_code ignored;
    fs::remove(array.note, ignored);
    fs::remove(array.values.folder, ignored);
  }

  /// Returns the tasks that the cluster has, or nothing if it did not answer.
  std::optional<std::map<std::size_t, Task>> ask(const Array& array) {
    const Engine& engine = settings_.engine;
    const Finished asked =
        run_command(command_for(engine, engine.poll, array.values), common::interrupted);
    if (common::interrupted()) return std::nullopt;
    if (asked.end.exit_code != 0) {
      if (!no_answer_) no_answer_ = Clock::now();
      if (Clock::now() - *no_answer_ > kNoAnswer) {
        throw BadInput(fmt::format("the cluster did not answer for {:.0f} s: {}", kNoAnswer.count(),
                                   without_line_end(asked.err)));
      }
      return std::nullopt;
    }
    no_answer_.reset();
    auto tasks = tasks_in(engine, asked.out);
    cancelled_ = cancelled_ || std::any_of(tasks.begin(), tasks.end(), [](const auto& one) {
                   return one.second.state == TaskState::Cancelled;
                 });
    const auto running =
        static_cast<std::size_t>(std::count_if(tasks.begin(), tasks.end(), [](const auto& one) {
          return one.second.state == TaskState::Running;
        }));
    most_running_ = std::max(most_running_, running);
    return tasks;
  }

  /// Hands over what a task has written since the last call.
  void take_results(TaskOfArray& task) {
    const std::vector<PointResult> results = read_results(task.results, task.taken);
    for (const PointResult& result : results) {
      task.started.insert(result.key);
      empty_tasks_ = 0;
      note_working_node(task);
      if (!result.outcome) continue;
      task.points.erase(result.key);
      seconds_ += result.seconds;
      ++measured_;
    }
    if (!results.empty()) take_(results);
  }

  void note_working_node(const TaskOfArray& task) {
    if (!task.node.empty()) working_nodes_.insert(task.node);
  }

  /// Returns the nodes on which tasks end before their first point, while other nodes work. Such a
  /// node is always free, so that it would get all tasks that run again.
  [[nodiscard]] std::set<std::string> nodes_to_avoid() const {
    std::set<std::string> avoid;
    if (working_nodes_.empty()) return avoid;
    std::set_difference(empty_nodes_.begin(), empty_nodes_.end(), working_nodes_.begin(),
                        working_nodes_.end(), std::inserter(avoid, avoid.end()));
    return avoid;
  }

  /// Removes tasks that have ended, and takes their points back if some did not run.
  void finish_tasks(Array& array) {
    for (auto at = array.tasks.begin(); at != array.tasks.end();) {
      TaskOfArray& task = at->second;
      shared_ = shared_ || fs::exists(task.results);
      const bool complete = task.points.empty();
      const bool late =
          task.ended && Clock::now() - *task.ended > Seconds(settings_.engine.late_files_s);
      // A task that was quicker than the polls still shows that its node works.
      const bool unseen =
          complete && working_nodes_.empty() && task.node.empty() && !task.ended.has_value();
      if (unseen || (!complete && !late)) {
        ++at;
        continue;
      }
      if (!shared_) {
        throw BadInput(fmt::format(
            "a first task ended and left no file '{}': the nodes must share the folders "
            "'{}' and '{}' and the program '{}' ({})",
            task.results.string(), jobs_.path().string(), work_.folder.string(), work_.kernbench,
            place_of(task)));
      }
      const bool keep_log = !complete;
      if (!complete) take_back(task);
      remove_files(task, keep_log);
      at = array.tasks.erase(at);
    }
  }

  /// Returns where to look after a task that ended early.
  static std::string place_of(const TaskOfArray& task) {
    std::string text;
    if (!task.detail.empty()) text += task.detail + ", ";
    if (!task.node.empty()) text += fmt::format("node {}, ", task.node);
    return text + fmt::format("log '{}'", task.log.string());
  }

  /// Returns whether a node other than `node` has begun a point, or runs a task and has ended none
  /// before its first point.
  [[nodiscard]] bool works_beside(const std::string& node) const {
    const auto is_other = [&](const std::string& one) { return !one.empty() && one != node; };
    return std::any_of(working_nodes_.begin(), working_nodes_.end(), is_other) ||
           std::any_of(arrays_.begin(), arrays_.end(), [&](const Array& array) {
             return std::any_of(array.tasks.begin(), array.tasks.end(), [&](const auto& one) {
               const TaskOfArray& task = one.second;
               return !task.ended && is_other(task.node) && empty_nodes_.count(task.node) == 0;
             });
           });
  }

  /// Queues the points that an ended task has not run.
  void take_back(TaskOfArray& task) {
    const std::string where = place_of(task);
    if (task.started.empty() && !task.node.empty()) empty_nodes_.insert(task.node);
    // While other nodes work, a broken one may take many tasks of an array.
    if (task.started.empty() && !works_beside(task.node) && ++empty_tasks_ >= kMostEmptyTasks) {
      throw BadInput(fmt::format("{} tasks in a row ended before their first point; the last: {}",
                                 kMostEmptyTasks, where));
    }
    const std::vector<PointResult> given_up =
        queue_again(task.points, task.started, todo_, work_.targets.size(),
                    fmt::format("the task of the point ended early {} times; the last: {}",
                                kMaxAttempts, where));
    if (!given_up.empty()) take_(given_up);
  }

  static void remove_files(const TaskOfArray& task, bool keep_log) {
    std::error_code ignored;
    fs::remove(task.job_file, ignored);
    fs::remove(task.results, ignored);
    if (!keep_log) fs::remove(task.log, ignored);
  }

  /// Cancels all tasks and takes what they have finished. The note of an array whose tasks do not
  /// end in time after a signal stays, so that the next sweep waits for them. A task that begins
  /// after that finds no job, and ends.
  void stop() {
    const Engine& engine = settings_.engine;
    const Clock::time_point start = Clock::now();
    for (const Array& array : arrays_) {
      start_cancel(command_for(engine, engine.cancel, array.values));
    }
    for (Array& array : arrays_) {
      const bool ended =
          wait_until_cancelled(command_for(engine, engine.cancel, array.values),
                               command_for(engine, engine.poll, array.values), engine, start);
      for (auto& [number, task] : array.tasks) {
        take_results(task);
        remove_files(task, false);
      }
      if (ended) remove_folder(array);
    }
    arrays_.clear();
  }

  const Work& work_;
  const JobFolder& jobs_;
  const ClusterSettings& settings_;
  const std::function<void(const std::vector<PointResult>&)>& take_;
  std::deque<JobPoint> todo_;
  std::vector<Array> arrays_;
  std::size_t next_array_ = 1;
  bool cancelled_ = false;  ///< somebody cancelled tasks on the cluster
  bool shared_ = false;     ///< a node has written to the folder of the jobs
  double seconds_ = 0;      ///< host time of all measured points
  std::size_t measured_ = 0;
  std::size_t most_running_ = 1;
  unsigned empty_tasks_ = 0;
  std::set<std::string> empty_nodes_;    ///< on which a task ended before its first point
  std::set<std::string> working_nodes_;  ///< on which a point has begun
  std::optional<Clock::time_point> no_answer_;
  Clock::time_point last_poll_{};
};

}  // namespace

std::vector<std::size_t> chunk_sizes(std::size_t points, double most, std::size_t nodes) {
  constexpr std::size_t kLeastParts = 16;
  const std::size_t by_limit = (points + kMostTasks - 1) / kMostTasks;
  const std::size_t by_time = std::max<std::size_t>(1, static_cast<std::size_t>(most));
  const std::size_t largest =
      std::max({std::min(by_time, points / kLeastParts), by_limit, std::size_t{1}});
  const std::size_t smallest = std::max({largest / 8, by_limit, std::size_t{1}});
  std::vector<std::size_t> sizes;
  for (std::size_t left = points; left > 0; left -= sizes.back()) {
    const std::size_t by_nodes = 2 * left / (3 * nodes);
    sizes.push_back(std::min(left, std::clamp(by_nodes, smallest, largest)));
  }
  return sizes;
}

Outcome run_on_cluster(const Work& work, const JobFolder& jobs, const ClusterSettings& settings,
                       const std::function<void(const std::vector<PointResult>&)>& take) {
  if (work.points.empty()) return Outcome::Pass;
  return ClusterEngine(work, jobs, settings, take).run();
}

std::string submit_text(const Work& work, const fs::path& jobs, const ClusterSettings& settings) {
  return command_for(settings.engine, settings.engine.submit,
                     {work.kernbench, jobs / "1", 1, settings.options, settings.further});
}

void cancel_left_tasks(const JobFolder& jobs) {
  for (const auto& entry : fs::recursive_directory_iterator(jobs.path())) {
    if (entry.path().extension() != ".array") continue;
    std::ifstream file(entry.path());
    const auto note = nlohmann::json::parse(file, nullptr, false);
    if (!note.is_object()) continue;
    start_cancel(note.at("cancel"));
    if (!wait_until_cancelled(note.at("cancel"), note.at("poll"),
                              read_engine(note.at("engine").get<std::string>()), Clock::now())) {
      throw common::Interrupted();
    }
  }
}

}  // namespace kernbench::farm

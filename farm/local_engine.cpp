// SPDX-License-Identifier: Apache-2.0
#include "farm/local_engine.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "farm/child.hpp"

namespace kernbench::farm {
namespace {

namespace fs = std::filesystem;
using common::Outcome;
using namespace std::chrono_literals;

/// A process that a killed sweep was starting holds the lock until it closes what it inherited.
constexpr auto kPatience = 2000ms;
constexpr auto kRetry = 20ms;

/// Makes a folder and locks it. Returns its descriptor, or -1 with the reason in errno: EWOULDBLOCK
/// if another process has it, or has removed it meanwhile.
int lock_folder(const fs::path& path) {
  common::ensure_directory(path);
  const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  int reason = EWOULDBLOCK;
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    reason = errno;
  } else {
    struct stat locked {};
    struct stat named {};
    if (fstat(descriptor, &locked) == 0 && stat(path.c_str(), &named) == 0 &&
        locked.st_ino == named.st_ino) {
      return descriptor;
    }
  }
  close(descriptor);
  errno = reason;
  return -1;
}

/// A process that runs a chunk of points.
struct Worker {
  std::unique_ptr<Child> child;
  fs::path job_file;
  fs::path results;
  std::uintmax_t taken = 0;                ///< bytes of the results that were read
  std::map<std::string, JobPoint> points;  ///< points without an end
  std::set<std::string> started;
};

class LocalEngine {
 public:
  LocalEngine(const Work& work, const JobFolder& jobs, unsigned processes,
              const std::function<void(const std::vector<PointResult>&)>& take)
      : work_(work),
        jobs_(jobs),
        take_(take),
        todo_(work.points.begin(), work.points.end()),
        workers_(processes) {}

  Outcome run() {
    while (!common::interrupted()) {
      for (Worker& worker : workers_) {
        if (worker.child == nullptr && !todo_.empty()) start(worker);
      }
      std::vector<Child*> children;
      for (const Worker& worker : workers_) {
        if (worker.child != nullptr) children.push_back(worker.child.get());
      }
      if (children.empty()) return Outcome::Pass;
      constexpr int kLookAroundMs = 200;
      Child::collect_of_any(children, kLookAroundMs);
      look_after_workers();
    }
    stop();
    return Outcome::Interrupted;
  }

 private:
  /// Returns the number of points of the next chunk: two seconds of work, and at the end less, so
  /// that all processes end together.
  [[nodiscard]] std::size_t chunk_size() const {
    constexpr double kSecondsOfAChunk = 2.0;
    constexpr double kMostPoints = 64;
    if (measured_ == 0) return 1;
    const double mean = std::max(seconds_ / static_cast<double>(measured_), 1e-3);
    const auto size =
        static_cast<std::size_t>(std::clamp(kSecondsOfAChunk / mean, 1.0, kMostPoints));
    return std::clamp(todo_.size() / (2 * workers_.size()), std::size_t{1}, size);
  }

  void start(Worker& worker) {
    Job job;
    job.program = work_.program;
    job.folder = work_.folder.string();
    job.targets = work_.targets;
    for (std::size_t left = chunk_size(); left > 0 && !todo_.empty(); --left) {
      job.points.push_back(std::move(todo_.front()));
      todo_.pop_front();
    }
    worker = Worker();
    worker.job_file = jobs_.path() / fmt::format("{}.json", next_job_);
    worker.results = jobs_.path() / fmt::format("{}.results", next_job_);
    ++next_job_;
    job.results = worker.results.string();
    common::write_file_atomically(worker.job_file, render_job(job));
    for (JobPoint& point : job.points) worker.points.emplace(point.key, std::move(point));
    worker.child = std::make_unique<Child>(
        std::vector<std::string>{work_.kernbench, "job", "run", worker.job_file.string()},
        work_.folder);
  }

  /// Hands over what a worker has written since the last call.
  void take_results(Worker& worker) {
    const std::vector<PointResult> results = read_results(worker.results, worker.taken);
    for (const PointResult& result : results) {
      worker.started.insert(result.key);
      if (!result.outcome) continue;
      worker.points.erase(result.key);
      seconds_ += result.seconds;
      ++measured_;
    }
    if (!results.empty()) take_(results);
  }

  void look_after_workers() {
    for (Worker& worker : workers_) {
      if (worker.child == nullptr) continue;
      const bool ended = worker.child->closed();
      const ChildEnd end = ended ? worker.child->wait() : ChildEnd();
      take_results(worker);
      if (!ended) continue;
      if (!common::interrupted()) take_back(worker, end);
      worker.child.reset();
      remove_files(worker);
    }
  }

  /// Queues the points that an ended worker has not run.
  void take_back(Worker& worker, const ChildEnd& end) {
    if (worker.points.empty()) return;
    if (worker.started.empty()) {
      const std::string what =
          fmt::format("a process of 'kernbench job run' ended with {} before its first point: {}",
                      end.signal != 0 ? fmt::format("signal {}", end.signal)
                                      : fmt::format("exit code {}", end.exit_code),
                      worker.child->error_text());
      if (end.exit_code == common::exit_code(Outcome::BadInput)) throw common::BadInput(what);
      throw std::runtime_error(what);
    }
    const std::vector<PointResult> given_up =
        queue_again(worker.points, worker.started, todo_, work_.targets.size(),
                    fmt::format("the process of the point ended early {} times", kMaxAttempts));
    if (!given_up.empty()) take_(given_up);
  }

  static void remove_files(const Worker& worker) {
    std::error_code ignored;
    fs::remove(worker.job_file, ignored);
    fs::remove(worker.results, ignored);
  }

  /// Ends all workers and takes what they have finished.
  void stop() {
    for (const Worker& worker : workers_) {
      if (worker.child != nullptr) worker.child->end();
    }
    for (Worker& worker : workers_) {
      if (worker.child == nullptr) continue;
      (void)worker.child->wait();
      take_results(worker);
      worker.child.reset();
      remove_files(worker);
    }
  }

  const Work& work_;
  const JobFolder& jobs_;
  const std::function<void(const std::vector<PointResult>&)>& take_;
  std::deque<JobPoint> todo_;
  std::vector<Worker> workers_;
  unsigned next_job_ = 0;
  double seconds_ = 0;        ///< host time of all measured points
  std::size_t measured_ = 0;  ///< finished points
};

}  // namespace

std::vector<PointResult> queue_again(std::map<std::string, JobPoint>& points,
                                     const std::set<std::string>& started,
                                     std::deque<JobPoint>& todo, std::size_t targets,
                                     const std::string& message) {
  std::vector<PointResult> given_up;
  for (auto& [key, point] : points) {
    const bool was_started = started.contains(key);
    if (!was_started || point.attempt < kMaxAttempts) {
      point.attempt += was_started ? 1 : 0;
      todo.push_back(std::move(point));
      continue;
    }
    PointResult& result = given_up.emplace_back();
    result.key = key;
    result.attempt = point.attempt;
    result.outcome = Outcome::InternalError;
    result.message = message;
    result.targets.resize(targets);
  }
  return given_up;
}

fs::path JobFolder::path_of(const fs::path& database) {
  return fs::absolute(database).string() + ".jobs";
}

JobFolder::JobFolder(const fs::path& database) : path_(path_of(database)) {
  descriptor_ = lock_folder(path_);
  for (auto waited = 0ms; descriptor_ < 0 && errno == EWOULDBLOCK && waited < kPatience;
       waited += kRetry) {
    std::this_thread::sleep_for(kRetry);
    descriptor_ = lock_folder(path_);
  }
  if (descriptor_ >= 0) return;
  const int reason = errno;
  if (reason == EWOULDBLOCK) {
    throw common::BadInput(fmt::format(
        "'{}' is in use by another sweep; wait for its end or name another file by --output",
        database.string()));
  }
  throw common::BadInput(fmt::format("cannot lock folder '{}': {}", path_.string(),
                                     std::generic_category().message(reason)));
}

JobFolder::~JobFolder() {
  rmdir(path_.c_str());
  close(descriptor_);
}

std::vector<PointResult> JobFolder::left_results() const {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path_)) {
    if (entry.path().extension() == ".results") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<PointResult> results;
  for (const fs::path& file : files) {
    std::uintmax_t offset = 0;
    for (PointResult& result : read_results(file, offset)) results.push_back(std::move(result));
  }
  return results;
}

void JobFolder::clear(bool with_logs) const {
  std::vector<fs::path> files;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::recursive_directory_iterator(path_)) {
    const std::string extension = entry.path().extension();
    // Also the temporary names of job files that were not finished.
    const bool ours = extension == ".results" || (extension == ".log" && with_logs) ||
                      extension == ".array" || extension == kPartExtension ||
                      extension.starts_with(".json");
    if (entry.is_directory()) folders.push_back(entry.path());
    if (ours && !entry.is_directory()) files.push_back(entry.path());
  }
  for (const fs::path& file : files) fs::remove(file);
  std::error_code not_empty;
  for (const fs::path& folder : folders) fs::remove(folder, not_empty);
}

Outcome run_locally(const Work& work, const JobFolder& jobs, unsigned processes,
                    const std::function<void(const std::vector<PointResult>&)>& take) {
  return LocalEngine(work, jobs, processes, take).run();
}

}  // namespace kernbench::farm

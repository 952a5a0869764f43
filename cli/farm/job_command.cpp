// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <atomic>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/farm/engine_options.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/places.hpp"
#include "common/progress.hpp"
#include "farm/cluster_engine.hpp"
#include "farm/job.hpp"
#include "farm/local_engine.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;

struct JobOptions {
  std::string file;
  unsigned jobs = 1;
  std::string engine = kLocalEngine;
};

/// Runs the points of a job in several processes or on a cluster, and appends their ends to the
/// results of the job. Points that have their end there already do not run again.
Outcome spread(farm::Job job, const JobOptions& options, const Invocation& invocation) {
  const std::optional<farm::ClusterSettings> cluster = cluster_of(options.engine, invocation);
  farm::Work work{.kernbench = common::running_program().string(),
                  .program = job.program,
                  .folder = job.folder,
                  .targets = job.targets};
  if (cluster && cluster->dry_run) {
    print("{}", submit_text(work, farm::JobFolder::path_of(job.results), *cluster));
    return Outcome::Pass;
  }
  check_results(job);
  if (!cluster) check_place(job);
  const farm::JobFolder jobs(job.results);
  farm::cancel_left_tasks(jobs);
  std::ofstream results(job.results, std::ios::binary | std::ios::app);
  std::atomic<std::size_t> done{0};
  const auto take = [&](const std::vector<farm::PointResult>& some) {
    for (const farm::PointResult& result : some) {
      if (!result.outcome) continue;
      results << farm::render_result(result);
      ++done;
    }
    if (results.flush()) return;
    throw common::BadInput(fmt::format("cannot write the results to '{}'", job.results));
  };
  std::set<std::string> ended = farm::ended_points(job.results);
  const auto has_ended = [&](const auto& point) { return ended.contains(point.key); };
  std::vector<farm::PointResult> left = jobs.left_results();
  std::erase_if(left, has_ended);
  take(left);
  jobs.clear();
  ended = farm::ended_points(job.results);
  std::erase_if(job.points, has_ended);
  done = 0;
  work.points = std::move(job.points);
  const std::size_t total = work.points.size();
  const common::Progress progress([&] {
    return common::ProgressState{static_cast<double>(done) / static_cast<double>(total),
                                 fmt::format("{}/{} points", done.load(), total)};
  });
  return cluster ? run_on_cluster(work, jobs, *cluster, take)
                 : run_locally(work, jobs, options.jobs, take);
}

}  // namespace

void add_job_command(Command& program, const Invocation& invocation) {
  Command& job =
      program.add_command("job", "Run commands of a job file, as the engine of a sweep does");
  job.needs_command = true;
  job.footer = "Example:\n  kernbench job run sweep.db.jobs/0.json";
  Command& run = job.add_command(
      "run", "Run the points of a job file: one after the other, side by side or on a cluster");
  const auto options = std::make_shared<JobOptions>();
  run.add_option("file", options->file, "Job file (JSON)").check(input_file()).required();
  run.add_option("--jobs", options->jobs, "Number of points that run side by side")
      .check(whole_number(1, 1024))
      .only(Decides::Host);
  add_engine_option(run, options->engine);
  run.footer =
      "The results are appended to the file that the job file names. A point that fails is a\n"
      "result, too: the exit code is 0.\n"
      "Examples:\n"
      "  kernbench job run sweep.db.jobs/0.json\n"
      "  kernbench job run commands.json --engine=slurm";
  run.run = [options, &invocation] {
    farm::Job read = farm::read_job(options->file);
    if (read.points.empty()) {
      throw common::BadInput(fmt::format("{}: a job without points", options->file));
    }
    const common::InterruptGuard guard;
    const bool is_one = options->jobs == 1 && options->engine == kLocalEngine;
    if (is_one) (void)cluster_of(options->engine, invocation);  // its options need an engine
    return is_one ? farm::run_job(read, common::running_program().string())
                  : spread(std::move(read), *options, invocation);
  };
}

}  // namespace kernbench::cli

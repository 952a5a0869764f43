// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "cli/command.hpp"
#include "cli/paths.hpp"
#include "common/interrupt.hpp"
#include "common/places.hpp"
#include "farm/job.hpp"

namespace kernbench::cli {

void add_job_command(CLI::App& app, common::Outcome& outcome) {
  CLI::App* const job = app.add_subcommand("job", "Run a part of a sweep, as its engine does");
  job->require_subcommand(1);
  job->footer("Example:\n  kernbench job run sweep.db.jobs/0.json");
  CLI::App* const run =
      job->add_subcommand("run", "Run the points of a job file one after the other");
  const auto file = std::make_shared<std::string>();
  run->add_option("file", *file, "Job file (JSON)")->check(input_file())->required();
  run->footer(
      "The results are appended to the file that the job file names. A point that fails is a\n"
      "result, too: the exit code is 0.\n"
      "Example:\n  kernbench job run sweep.db.jobs/0.json");
  run->callback([file, &outcome] {
    const farm::Job read = farm::read_job(*file);
    const common::InterruptGuard guard;
    outcome = farm::run_job(read, common::running_program().string());
  });
}

}  // namespace kernbench::cli

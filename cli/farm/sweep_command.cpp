// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/text_table.hpp"
#include "cli/farm/engine_options.hpp"
#include "cli/farm/sweep_results.hpp"
#include "cli/farm/sweep_run.hpp"
#include "cli/farm/sweep_search.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "farm/cluster_engine.hpp"
#include "farm/csv.hpp"
#include "farm/plan.hpp"
#include "farm/store.hpp"
#include "farm/summary.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::cli {

namespace {

namespace fs = std::filesystem;
using common::BadInput;
using common::Outcome;

struct SweepOptions {
  std::string plan;
  std::string out;
  unsigned jobs = all_processors();
  std::string engine = kLocalEngine;
  bool yes = false;
};

/// Prints how many points failed, and how the first of them did.
Outcome print_verdict(const farm::Table& table, const std::string& files) {
  std::map<std::string, std::size_t> counts;
  const farm::Row* first = nullptr;
  for (const farm::Row& row : table.rows) {
    if (row.outcome == Outcome::Pass) continue;
    if (first == nullptr) first = &row;
    ++counts[std::string(common::name(row.outcome))];
  }
  const Outcome outcome = farm::outcome_of(table);
  for (const std::string& answer : farm::answers_of(table)) print("{}\n", wrapped(answer, 2));
  const std::string grades = farm::grades_text(table);
  const std::string points = fmt::format("{}{}", sim::counted(table.rows.size(), "point"),
                                         grades.empty() ? "" : fmt::format(" ({})", grades));
  if (outcome == Outcome::Pass) {
    print("PASS  {}; {}\n", points, files);
    return outcome;
  }
  if (first == nullptr && outcome == Outcome::Vacuous) {
    print("VACUOUS  {}; {}\n", points, files);
    return outcome;
  }
  if (first == nullptr) {
    print("FAIL  {} of {} points have no row; {}\n", table.planned - table.rows.size(),
          table.planned, files);
    return outcome;
  }
  std::string text;
  for (const auto& [name, count] : counts) text += fmt::format(", {} {}", count, name);
  print("first failed point: {} ({}): {}\n",
        farm::text_of_point(table.parameters, first->parameters), common::name(first->outcome),
        first->message.empty() ? "the command printed no error" : first->message);
  print("FAIL  {}{}; {}\n", points, text, files);
  return outcome;
}

Outcome run_sweep(const SweepOptions& options, const Invocation& invocation) {
  const farm::Plan plan = farm::read_plan(options.plan);
  if (plan.points.size() > farm::kManyPoints && !options.yes) {
    throw BadInput(fmt::format("'{}' has {} points; more than {} need --yes", options.plan,
                               plan.points.size(), farm::kManyPoints));
  }
  const std::optional<farm::ClusterSettings> cluster = cluster_of(options.engine, invocation);
  const fs::path database =
      options.out.empty() ? fs::path(options.plan).stem().string() + ".db" : options.out;
  const fs::path csv = fs::path(database).replace_extension(".csv");
  if (database == csv) {
    throw BadInput(
        fmt::format("--output: '{}' is also the name of the CSV file of the rows, which is "
                    "written beside the database; use another ending, such as .db",
                    options.out));
  }
  for (const fs::path& output : {database, csv}) {
    std::error_code missing;
    if (fs::equivalent(options.plan, output, missing)) {
      throw BadInput(
          fmt::format("'{}' is the plan, and the results of the sweep would overwrite "
                      "it; name another file by --output",
                      output.string()));
    }
  }
  const fs::path screened = fs::path(database).replace_extension(".screen.db");
  std::vector<fs::path> outputs = {database, csv};
  if (plan.search) outputs.push_back(screened);
  SweepRun run(plan, database, outputs, invocation);
  if (cluster && cluster->dry_run) {
    run.print_submit_text(*cluster);
    return Outcome::Pass;
  }
  const common::InterruptGuard guard;  // a signal leaves no journal of the database
  const PointEngine engine{cluster, options.jobs};
  Outcome outcome = Outcome::Pass;
  if (plan.search) {
    outcome = run_search(run, screened, engine, invocation);
  } else {
    std::vector<std::size_t> every(plan.points.size());
    std::iota(every.begin(), every.end(), std::size_t{0});
    run.open();
    outcome = run.run(every, engine, "points");
  }
  if (outcome == Outcome::Interrupted) return outcome;
  const farm::Table table = run.table();
  common::write_file_atomically(csv, csv_of(table));
  return print_verdict(table, fmt::format("wrote {} and {}", database.string(), csv.string()));
}

}  // namespace

void add_sweep_command(Command& program, const Invocation& invocation) {
  Command& sweep =
      program.add_command("sweep", "Run a command at many points and collect its results");
  const auto options = std::make_shared<SweepOptions>();
  sweep.add_option("plan", options->plan, "Plan of the sweep (YAML)").check(input_file());
  sweep
      .add_option("-o,--output", options->out,
                  "Database of the results (SQLite), with a CSV file of the same name beside it; "
                  "default: the plan's name with .db in the current folder")
      .check(output_database());
  add_jobs_option(sweep, options->jobs);
  add_engine_option(sweep, options->engine);
  sweep.add_flag("--yes", options->yes, "Also run a plan of more than 10,000 points");
  add_sweep_results_commands(sweep);
  sweep.footer =
      "Points that are in the database already do not run again, so that the same command\n"
      "continues a sweep that was interrupted. Exit code 1 if a point failed.\n"
      "Example:\n  kernbench sweep plan.yaml --jobs 2 --output results.db";
  sweep.run = [options, &invocation] {
    if (options->plan.empty()) throw BadInput("kernbench sweep needs a plan or a command");
    return run_sweep(*options, invocation);
  };
}

}  // namespace kernbench::cli

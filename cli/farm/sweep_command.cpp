// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/farm/engine_options.hpp"
#include "cli/farm/point_inputs.hpp"
#include "cli/farm/sweep_results.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/places.hpp"
#include "common/progress.hpp"
#include "common/shell_quote.hpp"
#include "common/text_distance.hpp"
#include "farm/cluster_engine.hpp"
#include "farm/csv.hpp"
#include "farm/local_engine.hpp"
#include "farm/plan.hpp"
#include "farm/store.hpp"
#include "farm/summary.hpp"
#include "farm/target.hpp"
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

std::string text_of_command(const std::vector<std::string>& words) {
  std::string text = "kernbench";
  for (const std::string& word : words) text += fmt::format(" {}", common::shell_quote(word));
  return text;
}

std::string text_of_plan_point(const farm::Plan& plan, const farm::PlanPoint& point) {
  std::vector<std::string> values;
  for (const farm::Value& value : point) values.push_back(value.text);
  return farm::text_of_point(plan.parameters, values);
}

/// Returns the keys of all points. Throws BadInput if some are not commands, or if a point reads
/// one of the outputs.
std::vector<std::string> keys_of(const farm::Plan& plan, const Invocation& invocation,
                                 const std::vector<fs::path>& outputs) {
  PointInputs inputs(invocation);
  common::Diagnostics diagnostics;
  diagnostics.add_source(plan.file, plan.text);
  std::vector<std::string> keys;
  std::set<std::string> reported;
  for (const farm::PlanPoint& point : plan.points) {
    try {
      keys.push_back(inputs.key(words_of(plan, point)));
      for (const fs::path& file : inputs.input_files(words_of(plan, point))) {
        for (const fs::path& output : outputs) {
          std::error_code missing;
          if (!fs::equivalent(file, output, missing)) continue;
          throw std::invalid_argument(fmt::format(
              "'{}' is an input of the command, and the results of the sweep would overwrite it; "
              "name another file by --output",
              output.string()));
        }
      }
    } catch (const std::invalid_argument& error) {
      if (!reported.insert(error.what()).second) continue;
      diagnostics.error(plan.command_position, error.what(),
                        "the point with " + text_of_plan_point(plan, point));
    }
  }
  diagnostics.throw_if_any();
  return keys;
}

/// Throws BadInput if no point has a bench, parameters of it and keys of a topology that its
/// command accepts, with the errors of the first point.
void check_settings(const farm::Plan& plan, const Invocation& invocation) {
  PointInputs inputs(invocation);
  std::vector<common::Diagnostic> first;
  for (const farm::PlanPoint& point : plan.points) {
    std::vector<common::Diagnostic> wrong = inputs.wrong_settings(words_of(plan, point));
    if (wrong.empty()) return;
    if (first.empty()) first = std::move(wrong);
  }
  common::Diagnostics diagnostics;
  diagnostics.add_source(plan.file, plan.text);
  for (const common::Diagnostic& diagnostic : first) {
    const std::string& setting = diagnostic.position.file;
    common::SourcePosition position = diagnostic.position;
    if (setting.empty() || setting.starts_with("--set ")) position = plan.command_position;
    for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
      const std::string& name = plan.parameters[i];
      const std::string set = name.starts_with("bench.") ? name.substr(6) : name;
      if (setting.starts_with("--set " + set + "=")) position = plan.parameter_positions[i];
    }
    diagnostics.error(position, diagnostic.message, diagnostic.hint);
  }
  diagnostics.throw_if_any();
}

/// Finds targets that are in no report.
class TargetCheck {
 public:
  explicit TargetCheck(const farm::Plan& plan) : plan_(plan), found_(plan.targets.size()) {}

  /// Takes targets of rows that the database has had before as found.
  void trust() { std::fill(found_.begin(), found_.end(), true); }

  /// Throws BadInput if there are reports and none of them has a target.
  void look_at(const std::vector<farm::PointResult>& results) {
    const farm::PointResult* reported = nullptr;
    for (const farm::PointResult& result : results) {
      if (!result.has_report) continue;
      reported = &result;
      for (std::size_t i = 0; i < found_.size(); ++i) {
        found_[i] = found_[i] || !result.targets[i].is_null();
      }
    }
    if (reported == nullptr) return;
    std::vector<std::string> fields;
    if (!reported->report.empty()) {
      fields = farm::fields_of(nlohmann::json::parse(reported->report));
    }
    const std::vector<std::string_view> names(fields.begin(), fields.end());
    common::Diagnostics diagnostics;
    diagnostics.add_source(plan_.file, plan_.text);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (found_[i]) continue;
      const std::string& path = plan_.targets[i].path;
      diagnostics.error(
          plan_.targets[i].position,
          fmt::format("no report has a field '{}' with one value{}", path,
                      common::did_you_mean(path, names)),
          fmt::format("write a report with {} --json FILE", text_of_command(plan_.command)));
    }
    diagnostics.throw_if_any();
  }

 private:
  const farm::Plan& plan_;
  std::vector<bool> found_;
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
  const std::string grades = farm::grades_text(table);
  const std::string points = fmt::format("{}{}", sim::counted(table.rows.size(), "point"),
                                         grades.empty() ? "" : fmt::format(" ({})", grades));
  if (outcome == Outcome::Pass) {
    print("PASS  {}; {}\n", points, files);
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

/// Returns the points that have no row yet.
std::vector<farm::JobPoint> points_to_run(const farm::Plan& plan, const farm::Store& store,
                                          const std::vector<std::string>& keys) {
  const std::map<std::string, Outcome> finished = store.finished();
  const std::map<std::string, std::uint32_t> attempts = store.attempts();
  std::vector<farm::JobPoint> points;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (finished.contains(keys[i])) continue;
    const auto known = attempts.find(keys[i]);
    points.push_back(
        {keys[i], known == attempts.end() ? 1 : known->second + 1, words_of(plan, plan.points[i])});
  }
  return points;
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
  const std::vector<std::string> keys = keys_of(plan, invocation, {database, csv});
  check_settings(plan, invocation);
  farm::Work work;
  work.kernbench = common::running_program().string();
  work.folder = fs::current_path();
  (void)farm::render_job({work.folder.string(), fs::absolute(database).string(), {}, {}});
  if (cluster && cluster->dry_run) {
    print("{}", submit_text(work, farm::JobFolder::path_of(database), *cluster));
    return Outcome::Pass;
  }
  const common::InterruptGuard guard;  // a signal leaves no journal of the database
  const farm::JobFolder jobs(database);
  const bool fresh = !fs::exists(database);
  farm::Store store(database, plan, keys);
  farm::cancel_left_tasks(jobs);
  store.add(jobs.left_results());
  jobs.clear();

  TargetCheck targets(plan);
  for (const farm::Target& target : plan.targets) work.targets.push_back(target.path);
  work.points = points_to_run(plan, store, keys);
  const std::size_t resumed = keys.size() - work.points.size();
  if (resumed > 0) {
    targets.trust();
    print("{} of {} points are in '{}' already\n", resumed, keys.size(), database.string());
  }
  std::atomic<std::size_t> done{0};
  std::atomic<std::size_t> failed{0};
  const std::size_t total = work.points.size();
  const auto take = [&](const std::vector<farm::PointResult>& results) {
    targets.look_at(results);
    store.add(results);
    for (const farm::PointResult& result : results) {
      if (result.outcome) ++done;
      if (result.outcome && *result.outcome != Outcome::Pass) ++failed;
    }
  };
  Outcome outcome = Outcome::Pass;
  try {
    const common::Progress progress([&] {
      std::string text = fmt::format("{}/{} points", done.load(), total);
      if (failed > 0) text += fmt::format(", {} failed", failed.load());
      return common::ProgressState{static_cast<double>(done) / static_cast<double>(total), text};
    });
    outcome = cluster ? run_on_cluster(work, jobs, *cluster, take)
                      : run_locally(work, jobs, options.jobs, take);
  } catch (const BadInput&) {
    jobs.clear();
    if (fresh && store.finished().empty()) fs::remove(database);
    throw;
  }
  if (outcome == Outcome::Interrupted) {
    print("interrupted with {} of {} points in '{}'; the same command continues the sweep\n",
          resumed + done, keys.size(), database.string());
    return outcome;
  }
  const farm::Table table = store.table();
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

// SPDX-License-Identifier: Apache-2.0
#include "cli/rtl/sim_end.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "cli/base/console.hpp"
#include "cli/rtl/run_history.hpp"
#include "cli/rtl/sim_stages.hpp"
#include "common/diagnostics.hpp"
#include "common/duration_text.hpp"
#include "common/terminal.hpp"
#include "common/unmarked_text.hpp"
#include "sim/regression/known_failures.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/report_writer.hpp"
#include "sim/report/text_report.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;

/// Writes all reports. Returns a message for each file that cannot be written.
std::vector<std::string> write_all(const std::string& folder, const FinishedRun& run) {
  std::vector<std::string> errors = sim::write_reports(folder, run.result, run.coverage);
  if (!run.write_more) return errors;
  try {
    run.write_more();
  } catch (const common::BadInput& error) {
    errors.push_back(common::unmarked_text(error));
  }
  return errors;
}

/// Lists the cases that took most host time.
void print_slowest(const sim::RegressionResult& result, std::size_t count) {
  if (count == 0) return;
  std::vector<const sim::CaseResult*> cases;
  for (const sim::CaseResult& one : result.cases) cases.push_back(&one);
  std::stable_sort(cases.begin(), cases.end(),
                   [](auto* a, auto* b) { return a->seconds > b->seconds; });
  cases.resize(std::min(cases.size(), count));
  print("\n");
  print_heading(fmt::format("slowest {}", sim::counted(cases.size(), "case")));
  for (const sim::CaseResult* one : cases) {
    print("  {:>11}  {} seed {}{}\n", common::duration_text(one->seconds), one->title(), one->seed,
          one->fault && one->name.empty() ? " " + one->fault->kind : "");
  }
}

/// Prints the line of the last stage of --watch.
void print_end_of_watch(const sim::RegressionResult& result) {
  const auto failed = std::find_if(result.cases.begin(), result.cases.end(),
                                   [](const auto& one) { return one.outcome != Outcome::Pass; });
  print_stage(
      result.outcome == Outcome::Pass,
      result.noc ? result.noc->topology : fmt::format("{}x{}", result.shape.nx, result.shape.ny),
      result.seconds,
      failed == result.cases.end()
          ? sim::counted(result.cases.size(), "case")
          : fmt::format("{} seed {}: {}", failed->title(), failed->seed, failed->reason));
}

}  // namespace

Outcome conclude(const FinishedRun& run, const WaveOption& waves, const SimOptions& options,
                 const std::string& root) {
  sim::RegressionResult& result = run.result;
  if (options.known_list) {
    for (const std::string& note :
         sim::apply_known_failures(*options.known_list, sim::day_of(std::time(nullptr)), result)) {
      print_note(note);
    }
  }
  Outcome outcome = result.outcome;
  if (!options.expected_model.empty() && options.expected_model != result.model_hash) {
    throw common::BadInput(fmt::format(
        "the failure is of the model {}, and this is {}: the RTL, its settings or the tools have "
        "changed since",
        options.expected_model, result.model_hash));
  }
  if (outcome != Outcome::Interrupted && !options.watch) {
    outcome = common::worst(
        outcome, find_causes(result, run.causes ? run.cases : 0, run.causes, options.report));
  }
  if (waves.of_pages) {
    const std::string setup = show_windows(result, options.report);
    if (!setup.empty()) remember_wave(root, setup);
  }
  std::vector<std::string> errors = write_all(options.report, run);
  if (const std::vector<std::size_t> cases = cases_to_trace(result, run.cases, waves);
      !cases.empty() && outcome != Outcome::Interrupted) {
    outcome = common::worst(outcome, attempt_waves([&] {
                              write_waves(result, cases, waves, run.open_tracer, options.report);
                            }));
    errors = write_all(options.report, run);
    const std::string& setup = result.cases[cases.front()].wave_setup;
    if (!setup.empty()) remember_wave(root, options.report + "/" + setup);
  }
  if (options.watch) {
    print_end_of_watch(result);
    return outcome;
  }
  if (!options.history.empty() && outcome != Outcome::Interrupted) {
    try {
      add_to_history(options.history, result);
    } catch (const common::BadInput& error) {
      errors.push_back(common::unmarked_text(error));
    }
  }
  const bool quiet = verbosity() == Verbosity::Quiet;  // keeps the verdict, which it colours itself
  print("{}", sim::text_report(result, run.coverage,
                               quiet ? common::Colour::Off : common::colour_for(STDOUT_FILENO)));
  print_slowest(result, options.durations);
  std::fflush(stdout);
  for (const std::string& error : errors) print_error(error);
  if (!errors.empty() && outcome == Outcome::Pass) outcome = Outcome::BadInput;
  if (outcome == Outcome::Interrupted) {
    print_error(fmt::format("interrupted after {} of {} cases; the reports have those",
                            result.cases.size(), result.planned));
  }
  return outcome;
}

}  // namespace kernbench::cli

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.hpp"
#include "cli/envelope.hpp"
#include "cli/options.hpp"
#include "cli/sim_replay.hpp"
#include "cli/sim_waves.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/interrupt.hpp"
#include "common/shell_quote.hpp"
#include "common/text_distance.hpp"
#include "common/text_file.hpp"
#include "sim/cover/coverage_file.hpp"
#include "sim/dut/model_store.hpp"
#include "sim/regression/regression_runner.hpp"
#include "sim/report/progress.hpp"
#include "sim/report/report_writer.hpp"
#include "sim/report/terminal.hpp"
#include "sim/report/text_report.hpp"
#include "sim/stimulus/traffic_names.hpp"
#include "sim/structure/structure_file.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;
using sim::CaseSpec;
using sim::RegressionSpec;
using sim::SuiteSpec;

struct SimOptions {
  std::string config = "configs/regressions/default.yaml";
  std::optional<std::uint64_t> seed;
  std::optional<unsigned> seeds;
  std::optional<std::uint64_t> cycles;
  std::vector<std::string> suites;
  std::string fault;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  std::string waves = "on-failure";
  std::string report = "build/reports";
  std::string models = "build/models";
  std::string model;
  std::string rtl_dir;
  std::string code_coverage;
  std::string replay;
  bool no_checkers = false;
  bool no_structure = false;
  bool list = false;
};

[[noreturn]] void refuse_name(const std::string& what, const std::string& name,
                              const std::vector<std::string_view>& known) {
  std::string message = fmt::format("{} '{}' is not in the configuration", what, name);
  if (const auto nearest = common::nearest_name(name, known)) {
    message += fmt::format("; did you mean '{}'?", *nearest);
  }
  throw BadInput(message);
}

/// Applies the overrides of the command line. A partial regression does not require full coverage.
RegressionSpec narrowed(RegressionSpec spec, const SimOptions& options) {
  if (options.seed) spec.seed = *options.seed;
  const std::vector<SuiteSpec> all = std::move(spec.suites);
  spec.suites.clear();
  for (const std::string& name : options.suites) {
    std::vector<std::string_view> known;
    known.reserve(all.size());
    for (const SuiteSpec& suite : all) known.push_back(suite.name);
    if (std::find(known.begin(), known.end(), name) == known.end())
      refuse_name("suite", name, known);
  }
  for (const SuiteSpec& suite : all) {
    const auto& wanted = options.suites;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), suite.name) == wanted.end()) {
      continue;
    }
    spec.suites.push_back(suite);
    SuiteSpec& kept = spec.suites.back();
    if (options.seeds) kept.seeds = *options.seeds;
    if (options.cycles) {
      kept.cycles = *options.cycles;
      std::erase_if(kept.reset_at, [&](std::uint64_t at) { return at >= kept.cycles; });
    }
    if (!options.fault.empty()) {
      std::erase_if(kept.faults, [&](const sim::FaultCase& fault) {
        return sim::fault_name(fault.fault.kind) != options.fault;
      });
      if (kept.faults.empty()) spec.suites.pop_back();
    }
  }
  if (spec.suites.empty()) {
    throw BadInput(fmt::format("no suite of {} injects the fault '{}'", spec.path, options.fault));
  }
  if (!options.suites.empty() || options.cycles || options.seeds || !options.fault.empty()) {
    spec.full_coverage = false;
  }
  return spec;
}

void list_suites(const RegressionSpec& spec) {
  fmt::print("{:<22} {:<18} {:<12} {:>9} {:>6} {:>7}\n", "suite", "traffic", "receivers", "cycles",
             "seeds", "faults");
  for (const SuiteSpec& suite : spec.suites) {
    if (suite.kind == sim::SuiteKind::Connectivity) {
      fmt::print("{:<22} {:<18}\n", suite.name, "probes every link");
      continue;
    }
    fmt::print("{:<22} {:<18} {:<12} {:>9} {:>6} {:>7}\n", suite.name,
               sim::to_string(suite.traffic.pattern), sim::to_string(suite.back_pressure.kind),
               suite.cycles, suite.seeds, suite.faults.size());
  }
}

/// Returns the shell command that runs this case alone.
std::string rerun_command(const SimOptions& options, const CaseSpec& spec) {
  using common::shell_quote;
  std::string command =
      fmt::format("kernbench sim --config {} --suite {} --seed {} --seeds 1",
                  shell_quote(options.config), shell_quote(spec.suite->name), spec.seed);
  if (options.cycles) command += fmt::format(" --cycles {}", *options.cycles);
  if (spec.fault != nullptr) {
    command += fmt::format(" --fault {}", sim::fault_name(spec.fault->fault.kind));
  }
  if (!options.model.empty()) command += " --model " + shell_quote(options.model);
  if (!options.rtl_dir.empty()) command += " --rtl-dir " + shell_quote(options.rtl_dir);
  if (options.no_checkers) command += " --no-checkers";
  if (options.no_structure) command += " --no-structure";
  return command;
}

std::uint64_t planned_cycles(const std::vector<CaseSpec>& cases) {
  std::uint64_t sum = 0;
  for (const CaseSpec& one : cases) {
    const bool runs_out = one.suite->kind == sim::SuiteKind::Connectivity ||
                          one.suite->traffic.pattern == sim::Pattern::LinkWalk ||
                          one.suite->traffic.pattern == sim::Pattern::Trace;
    sum += runs_out ? 0 : one.suite->cycles;
  }
  return sum;
}

sim::RegressionRun run_all(const RegressionSpec& spec, const sim::DutLibrary& library,
                           const SimOptions& options) {
  const std::vector<CaseSpec> cases = sim::list_cases(spec);
  sim::Progress progress(std::cerr, sim::is_terminal(STDERR_FILENO),
                         {cases.size(), planned_cycles(cases)});
  sim::RunOptions run;
  run.jobs = options.jobs;
  run.interrupted = common::interrupted;
  run.code_coverage = options.code_coverage;
  run.command = [&](const CaseSpec& one) { return rerun_command(options, one); };
  run.progress = [&](std::uint64_t cycles) { progress.add_cycles(cycles); };
  run.case_done = [&](const sim::CaseResult& result) {
    progress.case_done(result.outcome == Outcome::Pass, result.delivered);
  };
  return sim::run_regression(spec, library, run);
}

/// Throws BadInput if reports cannot be written to `folder`. Called before a run that may take
/// hours.
void require_writable(const std::string& folder) {
  common::ensure_directory(folder);
  const common::AtomicFile probe(std::filesystem::path(folder) / "report.json");
}

/// Returns the model library to run, building it if necessary. Returns std::nullopt if the build
/// was interrupted.
std::optional<std::string> model_path(const SimOptions& options, const sim::ModelStore& store,
                                      const sim::ModelRequest& request) {
  if (!options.model.empty()) return options.model;
  try {
    return store.ensure(request);
  } catch (const BadInput&) {
    if (common::interrupted()) return std::nullopt;
    throw;
  }
}

Outcome report_interrupted() {
  fmt::print(stderr, "interrupted; no report is written\n");
  return Outcome::Interrupted;
}

/// Adds the structure check of the model as the last case, or the note that it was left out.
void add_structure(sim::RegressionResult& result, const sim::DutLibrary& library,
                   const SimOptions& options) {
  if (options.no_structure) {
    result.structure = "not checked (--no-structure)";
    return;
  }
  sim::CaseResult checked = sim::structure::structure_case(
      sim::structure::structure_of_model(library.path(), library.create()->info()));
  checked.command = result.command;
  result.structure = checked.outcome == Outcome::Pass      ? "checked"
                     : checked.outcome == Outcome::Vacuous ? "not checked"
                                                           : "findings";
  result.outcome = common::worst(result.outcome, checked.outcome);
  result.cases.push_back(std::move(checked));
}

WaveOption checked_waves(const SimOptions& options, const RegressionSpec& spec) {
  const auto waves = parse_wave_option(options.waves);
  if (!waves) {
    throw BadInput(fmt::format(
        "--waves: '{}' is not off, on-failure or FIRST:LAST (two cycles, such as 100:200)",
        options.waves));
  }
  if (waves->window && sim::list_cases(spec).size() != 1) {
    throw BadInput(
        "--waves FIRST:LAST requires a single case: select it with --suite and --seeds 1");
  }
  return *waves;
}

Outcome simulate(const SimOptions& options, const Invocation& invocation) {
  if (!options.replay.empty()) {
    return replay_failure(options.replay, {invocation.root, options.models}, options.report,
                          !options.no_checkers);
  }
  const RegressionSpec spec = narrowed(sim::load_regression(options.config), options);
  if (options.list) {
    list_suites(spec);
    return Outcome::Pass;
  }
  if (!options.rtl_dir.empty() && !std::filesystem::is_directory(options.rtl_dir)) {
    throw BadInput(fmt::format("--rtl-dir: '{}' is not a folder", options.rtl_dir));
  }
  const common::InterruptGuard guard;
  const WaveOption waves = checked_waves(options, spec);
  require_writable(options.report);
  if (!options.code_coverage.empty()) common::ensure_directory(options.code_coverage);
  const sim::ModelStore store(invocation.root, options.models);
  const sim::ModelRequest request{spec.shape, !options.no_checkers, false, options.rtl_dir};
  const std::optional<std::string> path = model_path(options, store, request);
  if (!path) return report_interrupted();
  const sim::DutLibrary library = sim::DutLibrary::open(*path);
  sim::RegressionRun run = run_all(spec, library, options);
  run.result.command = invocation.command_line;
  run.result.revision = source_revision(invocation.root);
  run.result.config_hash = common::hex64(common::hash_bytes(
      common::read_text_file(options.config) + rerun_command(options, run.specs.front())));
  if (run.result.outcome == Outcome::Interrupted) return report_interrupted();
  add_structure(run.result, library, options);
  if (waves.on_failure || waves.window) {
    try {
      write_waves(run, waves, store, request, options.report);
    } catch (const BadInput& error) {  // the results are reported even without waves
      fmt::print(stderr, "no waves: {}\n", error.what());
    }
  }
  const sim::CoverageSummary coverage =
      run.coverage ? run.coverage->summary() : sim::CoverageSummary{};
  sim::write_reports(options.report, run.result, coverage);
  if (run.coverage) {
    common::ReportEnvelope header;
    header.outcome = run.result.outcome;
    header.seed = run.result.seed;
    header.config_hash = run.result.config_hash;
    header.revision = run.result.revision;
    header.command = run.result.command;
    sim::write_coverage_file(options.report + "/coverage.json", *run.coverage, header);
  }
  fmt::print("{}", sim::text_report(run.result, coverage, sim::colour_for(STDOUT_FILENO)));
  return run.result.outcome;
}

}  // namespace

void add_sim_command(CLI::App& app, const Invocation& invocation, Outcome& outcome) {
  auto options = std::make_shared<SimOptions>();
  CLI::App* sim = app.add_subcommand("sim", "Run a regression on the verilated TOPO");
  sim->add_option("--config", options->config, "Regression file (YAML)")->capture_default_str();
  sim->add_option("--suite", options->suites, "Run only this suite (repeatable)");
  sim->add_option("--seed", options->seed, "First seed; overrides the regression file")
      ->check(whole_number(0));
  sim->add_option("--seeds", options->seeds, "Number of seeds per suite")
      ->check(whole_number(1, 10'000));
  sim->add_option("--cycles", options->cycles, "Traffic cycles of each suite")
      ->check(whole_number(1, 1'000'000'000));
  sim->add_option("--fault", options->fault, "Run only the cases that inject this fault");
  sim->add_option("--jobs", options->jobs, "Number of parallel cases")->check(whole_number(1, 256));
  sim->add_option("--waves", options->waves,
                  "Waves to write: off, on-failure, or FIRST:LAST cycles of a single case")
      ->capture_default_str();
  sim->add_option("--report", options->report, "Folder for the reports")->capture_default_str();
  sim->add_option("--models", options->models, "Folder of built models")->capture_default_str();
  sim->add_option("--model", options->model, "Prebuilt model to use instead of building one");
  sim->add_option("--rtl-dir", options->rtl_dir,
                  "Folder of alternative RTL with the same module names");
  sim->add_option("--code-coverage", options->code_coverage,
                  "Folder for the code coverage of each case; requires a --model built with it");
  sim->add_option("--replay", options->replay,
                  "Replay a failure that `kernbench cosim` wrote to this file, with waves")
      ->excludes("--config");
  sim->add_flag("--no-checkers", options->no_checkers,
                "Build the model without the bound SystemVerilog checkers");
  sim->add_flag("--no-structure", options->no_structure,
                "Accept a model whose structure is not checked; every report says so");
  sim->add_flag("--list", options->list, "List the suites and exit");
  sim->footer(
      "Examples:\n"
      "  kernbench sim                                  the shipped sign-off regression\n"
      "  kernbench sim --list                           the suites of that regression\n"
      "  kernbench sim --suite saturation --seed 7      one suite with another seed\n"
      "  kernbench sim --config configs/regressions/faults.yaml --fault drop\n"
      "  kernbench sim --replay build/reports/cosim-1.json   a co-simulation failure, with waves\n"
      "Exit code: 0 pass, 1 mismatch or nothing checked, 2 bad input, 3 timeout, 4 deadlock,\n"
      "5 internal error, 130 interrupted.");
  sim->callback([options, &invocation, &outcome] { outcome = simulate(*options, invocation); });
}

}  // namespace kernbench::cli

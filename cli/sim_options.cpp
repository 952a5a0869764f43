// SPDX-License-Identifier: Apache-2.0
#include "cli/sim_options.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/options.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/numbers.hpp"
#include "sim/network/network_run.hpp"
#include "sim/regression/case_pool.hpp"
#include "sim/report/regression_progress.hpp"

namespace kernbench::cli {

namespace {

std::string again_below(const std::string& folder) {
  return (std::filesystem::path(folder) / "again").string();
}

/// Returns the options that run one case of a suite again.
SimOptions options_again(const SimOptions& options, const std::string& suite, std::uint64_t seed) {
  SimOptions again = options;
  again.suites = {suite};
  again.seed = seed;
  again.seeds = 1;
  again.report = again_below(options.report);
  if (!options.code_coverage.empty()) again.code_coverage = again_below(options.code_coverage);
  again.fail_fast = again.watch = false;
  again.durations = 0;
  again.parts = {};
  return again;
}

}  // namespace

void describe(Command& sim, SimOptions& options, const Invocation& invocation) {
  options.invocation = &invocation;
  add_input_option(sim, "--config", options.config, invocation, "configs/regressions/default.yaml",
                   "Regression file (YAML), of TOPO or of the network");
  sim.add_option("--fabric", options.fabric,
                 "Size in place of the file's: columns x rows (x data bits), such as 3x5 or "
                 "16x16x32");
  sim.add_option("--suite", options.suites, "Run only this suite (repeatable)");
  sim.add_option("--seed", options.seed, "First seed; overrides the regression file");
  sim.add_option("--seeds", options.seeds, "Number of seeds per suite")
      .check(whole_number(1, 10'000));
  sim.add_option("--cycles", options.cycles, "Traffic cycles of each suite")
      .check(whole_number(1, 1'000'000'000));
  sim.add_option("--fault", options.fault, "Run only the cases that inject this fault");
  add_jobs_option(sim, options.jobs, "Number of parallel cases");
  sim.add_option("--waves", options.waves,
                 "Waves to write: off, on-failure, or FIRST:LAST cycles of a single case")
      .only(Decides::Host);
  const std::vector<std::string> reports(kReports.begin(), kReports.end());
  sim.add_option("--report", options.report, "Folder for the reports")
      .check(output_folder(reports));
  add_models_option(sim, options.models, invocation);
  sim.add_option("--model", options.model, "Prebuilt model to use instead of building one")
      .check(input_file());
  sim.add_option("--rtl", options.rtl.files,
                 "Files of other RTL, packages first, in place of the repository's")
      .check(input_file());
  sim.add_option("--filelist", options.rtl.filelist,
                 "File list of other RTL; its paths are relative to it")
      .check(input_file());
  sim.add_option("--rtl-dir", options.rtl.folder, "Folder of other RTL with the file names of rtl/")
      .check(input_folder());
  sim.add_option("-I", options.rtl.include_dirs,
                 "Folder of include files of other RTL (repeatable)")
      .check(input_folder())
      .one_each();
  sim.add_option("-D", options.rtl.defines, "Macro for other RTL, NAME or NAME=VALUE (repeatable)")
      .one_each();
  sim.add_option("--dpi", options.rtl.dpi_files,
                 "C or C++ file with functions that other RTL imports (repeatable)")
      .one_each()
      .check(input_file());
  add_plusarg_option(sim, options.plusargs);
  sim.add_flag("--no-assertions", options.rtl.assertions,
               "Leave out the assertions, unique and priority of other RTL; every report says so");
  sim.add_option("--code-coverage", options.code_coverage,
                 "Folder for the code coverage of each case; requires a --model built with it")
      .check(output_folder({"*.dat", "*.info"}))
      .needs("--model");
  sim.add_option("--replay", options.replay,
                 "Replay this file instead of a regression: a failure of `kernbench cosim`, with "
                 "waves, or a pin-trace")
      .check(input_file());
  sim.add_flag("--fail-fast", options.fail_fast,
               "Start no case after the first that does not pass");
  sim.add_option("--durations", options.durations, "Number of slowest cases to list at the end")
      .check(whole_number(1, 1'000'000))
      .default_text("")
      .only(Decides::Host);
  sim.add_flag("--no-checkers", options.no_checkers,
               "Build the model without the bound SystemVerilog checkers");
  sim.add_flag("--no-structure", options.no_structure,
               "Accept a model whose structure is not checked; every report says so");
  sim.add_flag("--list", options.list, "List the suites and exit");
  sim.add_flag("--watch", options.watch,
               "Run again whenever a file that the model was built from changes, with one line a "
               "stage")
      .only(Decides::Host);
  add_part_options(sim, options.parts);
  sim.add_flag("--structure-only", options.structure_only,
               "Check the structure of the fabric (default 8x8), or with --network of the nodes "
               "and links, without a simulation");
  sim.add_flag("--node-checkers", options.node_checkers,
               "With --network: build the SystemVerilog checkers of the nodes into the model, "
               "which takes 5 times as long");
  sim.add_option("--high-bound", options.high_bound,
                 "With --network: packets of high QoS in a row that pass a low one that waits, 0 "
                 "for no bound; overrides the regression file")
      .check(whole_number(0, 1'000'000));
  sim.add_flag("--fixed-priority", options.fixed_priority,
               "With --network: arbiters take the lowest input of a level in place of round robin");
  sim.add_flag("--network", options.network,
               "Run the regression of the whole network, nodes included, from port A to port B: by "
               "default configs/regressions/network.yaml");
  const std::vector<const char*> of_a_regression = {
      "--config",    "--suite",     "--seeds",         "--cycles",       "--fault", "--jobs",
      "--fail-fast", "--durations", "--code-coverage", "--no-structure", "--list",  "--engine"};
  sim.exclude({"--structure-only", "--replay"}, of_a_regression);
  sim.exclude({"--watch"},
              {"--model", "--replay", "--list", "--engine", "--structure-only", "--waves"});
  sim.exclude({"--structure-only"},
              {"--seed", "--waves", "--report", "--model", "--replay", "--no-checkers"});
  sim.exclude({"--fail-fast"}, {"--engine"});
  sim.exclude({"--replay"}, {"--fabric"});
  sim.exclude({"--network"}, {"--no-checkers"});
  sim.exclude({"--node-checkers"}, {"--rtl", "--filelist", "--rtl-dir"});
  for (const char* const of_network : {"--node-checkers", "--high-bound", "--fixed-priority"}) {
    sim.option(of_network).needs("--network");
  }
}

sim::RunOptions run_options(const SimOptions& options, common::Parts* parts,
                            sim::RegressionProgress& done) {
  sim::RunOptions run;
  run.jobs = options.jobs;
  run.parts = parts;
  run.interrupted = common::interrupted;
  run.fail_fast = options.fail_fast;
  run.code_coverage = options.code_coverage;
  run.progress = [&done](std::uint64_t new_cycles) { done.add_cycles(new_cycles); };
  run.case_done = [&done](const sim::CaseResult& result) {
    done.case_done(result.outcome == common::Outcome::Pass, result.delivered);
  };
  return run;
}

maze::Shape parse_fabric(const std::string& text) {
  const auto refuse = [&](const char* what) {
    throw common::BadInput(fmt::format(
        "--fabric: '{}' {}: columns x rows, each 2 to 16, and optionally data bits, 1 to "
        "32 (default 8), such as 3x5 or 16x16x32",
        text, what));
  };
  std::vector<std::uint64_t> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('x', at), text.size());
    const auto number = common::parse_u64(text.substr(at, end - at));
    if (!number) refuse("is not a fabric");
    numbers.push_back(*number);
    at = end + 1;
  }
  if (numbers.size() == 2) numbers.push_back(8);
  if (numbers.size() != 3) refuse("is not a fabric");
  const auto within = [](std::uint64_t n, std::uint64_t low, std::uint64_t high) {
    return n >= low && n <= high;
  };
  if (!within(numbers[0], 2, 16) || !within(numbers[1], 2, 16) || !within(numbers[2], 1, 32)) {
    refuse("is out of range");
  }
  return {static_cast<unsigned>(numbers[0]), static_cast<unsigned>(numbers[1]),
          static_cast<unsigned>(numbers[2])};
}

std::string command_of(const SimOptions& options) {
  SimOptions bound;  // with the defaults when it is described
  Command program("kernbench", "");
  Command& sim = program.add_command("sim", "");
  describe(sim, bound, *options.invocation);
  bound = options;
  return shell_line(options.invocation->program, sim.words([](const Option&) { return true; }));
}

std::string rerun_command(const SimOptions& options, const sim::CaseSpec& spec) {
  SimOptions again = options_again(options, spec.suite->name, spec.seed);
  again.fault = spec.fault == nullptr ? "" : fault_name(spec.fault->fault.kind);
  return command_of(again);
}

std::string rerun_command(const SimOptions& options, const maze::Shape& shape,
                          const sim::NetworkCase& one) {
  SimOptions again = options_again(options, one.name, one.seed);
  again.network = true;
  if (options.model.empty()) again.fabric = shape;
  return command_of(again);
}

void require_writable(const std::string& folder, std::span<const char* const> reports) {
  common::ensure_directory(folder);
  for (const char* name : reports) {
    const common::AtomicFile probe(std::filesystem::path(folder) / name);
  }
}

void remove_reports(const std::string& folder, std::span<const char* const> reports) {
  for (const char* name : reports) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code ignored;  // a link or a device is written to, and stays
    if (std::filesystem::symlink_status(path, ignored).type() ==
        std::filesystem::file_type::regular) {
      std::filesystem::remove(path, ignored);
    }
  }
}

}  // namespace kernbench::cli

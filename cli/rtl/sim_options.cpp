// SPDX-License-Identifier: Apache-2.0
#include "cli/rtl/sim_options.hpp"

#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/base/options.hpp"
#include "cli/base/router_options.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/numbers.hpp"
#include "sim/network/network_run.hpp"
#include "sim/regression/case_pool.hpp"
#include "sim/regression/known_failures.hpp"
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
  again.packets.reset();
  again.history.clear();
  again.known.clear();
  again.known_list.reset();
  again.resume = false;
  again.parts = {};
  return again;
}

}  // namespace

void describe_rtl(Command& command, SimOptions& options) {
  command
      .add_option("--rtl", options.rtl.files,
                  "Files of other RTL, packages first, in place of the repository's")
      .check(input_file());
  command
      .add_option("--filelist", options.rtl.filelist,
                  "File list of other RTL; its paths are relative to it")
      .check(input_file());
  command
      .add_option("--rtl-dir", options.rtl.folder,
                  "Folder of other RTL with the file names of rtl/")
      .check(input_folder());
  command
      .add_option("-I", options.rtl.include_dirs,
                  "Folder of include files of other RTL (repeatable)")
      .check(input_folder())
      .one_each();
  command
      .add_option("-D", options.rtl.defines, "Macro for other RTL, NAME or NAME=VALUE (repeatable)")
      .one_each();
  command
      .add_option("--dpi", options.rtl.dpi_files,
                  "C or C++ file with functions that other RTL imports (repeatable)")
      .one_each()
      .check(input_file());
  command.add_flag(
      "--no-assertions", options.rtl.assertions,
      "Leave out the assertions, unique and priority of other RTL; every report says so");
  add_models_option(command, options.models, *options.invocation);
}

namespace {

void describe_fabric(Command& command, SimOptions& options, const char* in_place_of) {
  command.add_option("--fabric", options.fabric,
                     fmt::format("Size in place of {}: columns x rows (x data bits), such as 3x5 "
                                 "or 16x16x32",
                                 in_place_of));
}

void describe_model(Command& command, SimOptions& options) {
  command.add_option("--model", options.model, "Prebuilt model to use instead of building one")
      .check(input_file());
  add_plusarg_option(command, options.plusargs);
  command.add_flag("--no-checkers", options.no_checkers,
                   "Build the model without the bound SystemVerilog checkers");
}

void describe_waves(Command& command, SimOptions& options) {
  command
      .add_option(
          "--waves", options.waves,
          "Waves of failures: off; window, those of its page; on-failure, with all signals, "
          "on a model that is built for them; or FIRST:LAST cycles of a single case")
      .only(Decides::Host);
}

void describe_arbiters(Command& command, SimOptions& options) {
  command
      .add_option("--high-bound", options.high_bound,
                  "Of a network: packets of high QoS in a row that pass a low one that waits, 0 "
                  "for no bound; overrides the regression file")
      .check(whole_number(0, 1'000'000));
  command.add_flag("--fixed-priority", options.fixed_priority,
                   "Of a network: arbiters take the lowest input of a level in place of round "
                   "robin");
}

}  // namespace

void describe(Command& sim, SimOptions& options, const Invocation& invocation) {
  options.invocation = &invocation;
  add_input_option(sim, "regression", options.config, invocation, kDefaultRegression,
                   "Regression file (YAML), of TOPO or of the network; with --packets by default " +
                       std::string(kSoakRegression));
  describe_fabric(sim, options, "the file's");
  sim.add_option("--noc", options.noc,
                 "Topology of a regression with 'dut: noc', such as 'Mesh2D(4,3)' or a YAML file")
      .check(input_topology());
  sim.add_option("--suite", options.suites, "Run only this suite (repeatable)").one_each();
  sim.add_option("--seed", options.seed, "First seed; overrides the regression file");
  sim.add_option("--seeds", options.seeds,
                 "Number of seeds per suite; with --packets: the most seeds")
      .check(whole_number(1, 10'000));
  sim.add_option("--cycles", options.cycles, "Traffic cycles of each suite")
      .check(whole_number(1, 1'000'000'000));
  sim.add_option("--fault", options.fault, "Run only the cases that inject this fault");
  add_jobs_option(sim, options.jobs);
  describe_waves(sim, options);
  sim.add_option("--shrink", options.shrink,
                 "Simulated cycles to spend on shrinking a failure; 0: its cause is looked for, "
                 "but no smaller run")
      .check(whole_number(0, 1'000'000'000))
      .only(Decides::Host);
  sim.add_option("--known", options.known,
                 "File of known failures (YAML), each with a reason and a last day; they do not "
                 "fail the run")
      .check(input_file());
  sim.add_option("--history", options.history,
                 "SQLite file that gets a row of this run; the page of its last runs is beside it")
      .check(output_database());
  std::vector<std::string> reports(kReports.begin(), kReports.end());
  reports.insert(reports.end(), {"links.txt", "soak.html"});
  sim.add_option("--report", options.report, "Folder for the reports")
      .check(output_folder(reports));
  describe_rtl(sim, options);
  describe_model(sim, options);
  sim.add_option("--code-coverage", options.code_coverage,
                 "Folder for the code coverage of each case; requires a --model built with it")
      .check(output_folder({"*.dat", "*.info"}))
      .needs("--model");
  sim.add_flag("--fail-fast", options.fail_fast,
               "Start no case after the first that does not pass");
  sim.add_option("--durations", options.durations, "Number of slowest cases to list at the end")
      .check(whole_number(1, 1'000'000))
      .default_text("")
      .only(Decides::Host);
  sim.add_flag("--no-structure", options.no_structure,
               "Accept a model whose structure is not checked; every report says so");
  sim.add_flag("--list", options.list, "List the suites and exit");
  sim.add_flag("--watch", options.watch,
               "Run again whenever a file that the model was built from changes, with one line a "
               "stage")
      .only(Decides::Host);
  sim.add_option("--packets", options.packets,
                 "Run the regression with seed after seed until this many packets are delivered")
      .check(whole_number(1));
  sim.add_flag("--resume", options.resume,
               "With --packets: continue where an earlier run with the same --report ended")
      .needs("--packets");
  add_part_options(sim, options.parts);
  sim.add_flag("--node-checkers", options.node_checkers,
               "Of a network: build the SystemVerilog checkers of the nodes into the model, which "
               "takes 5 times as long");
  describe_arbiters(sim, options);
  sim.exclude({"--watch"}, {"--model", "--list", "--engine", "--waves", "--packets"});
  sim.exclude({"--packets"}, {"--fabric", "--suite", "--cycles", "--fault", "--waves", "--rtl",
                              "--filelist", "--rtl-dir", "-I", "-D", "--dpi", "--no-assertions",
                              "--code-coverage", "--durations", "--no-structure", "--list"});
  sim.exclude({"--fail-fast"}, {"--engine"});
  sim.exclude({"--node-checkers"}, {"--rtl", "--filelist", "--rtl-dir", "--no-checkers"});
}

void describe_structure(Command& structure, SimOptions& options, const Invocation& invocation) {
  options.invocation = &invocation;
  structure
      .add("device", shorthand([&options](const Words& texts) {
             options.network = texts.back() == kNetworkDevice;
           }),
           "Links alone, or the network with its nodes")
      .check(one_of({kTopoDevice, kNetworkDevice}))
      .default_text(std::string(kTopoDevice));
  structure
      .add_option("--write-verilog", options.write_verilog,
                  "Write the checked design to this file as Verilog-2005, for other tools")
      .check(output_file());
  describe_fabric(structure, options, "8x8x8");
  structure
      .add_option("--noc", options.noc,
                  "Network of any topology in place of the device, such as 'Mesh2D(4,3)' or a YAML "
                  "file")
      .check(input_topology());
  const std::size_t first = structure.options().size();
  sim::NocNetworkSpec& routers = options.routers;
  add_router_options(structure, routers.lanes, routers.slots, routers.stages);
  add_link_options(structure, routers.flit_bits, routers.wire);
  for (std::size_t i = first; i < structure.options().size(); ++i) {
    structure.options()[i]->needs("--noc");
  }
  structure.exclude({"--noc"}, {"device", "--fabric", "--write-verilog"});
  describe_rtl(structure, options);
}

void describe_replay(Command& replay, SimOptions& options, const Invocation& invocation) {
  options.invocation = &invocation;
  replay
      .add_option("file", options.replay,
                  "Failure of `kernbench cosim` or pin-trace (.json), or the execution traces "
                  "PREFIX.RANK.et (Chakra) as PREFIX.et")
      .check(input_replay())
      .required();
  const std::size_t first = replay.options().size();
  replay.add_option("--seed", options.seed, "First seed of the start of the RTL's registers");
  describe_waves(replay, options);
  replay.add_option("--report", options.report, "Folder for the waves").check(output_folder({}));
  describe_rtl(replay, options);
  describe_model(replay, options);
  describe_arbiters(replay, options);
  for (std::size_t i = first; i < replay.options().size(); ++i) {
    replay.options()[i]->in_group(kReplayOfRtl);
  }
}

sim::RunOptions run_options(const SimOptions& options, common::Parts* parts,
                            sim::RegressionProgress& done) {
  sim::RunOptions run;
  run.jobs = options.jobs;
  run.parts = parts;
  run.interrupted = common::interrupted;
  run.fail_fast = options.fail_fast;
  if (options.known_list) {
    run.is_known = [known = options.known_list, today = sim::day_of(std::time(nullptr))](
                       const sim::CaseResult& one) { return sim::is_known(*known, today, one); };
  }
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

namespace {

using Describe = void (*)(Command& command, SimOptions& options, const Invocation& invocation);

/// Returns the words of the command of this name with these options, its name first.
Words words_of(const char* name, Describe describe_options, const SimOptions& options) {
  SimOptions bound;  // with the defaults when it is described
  Command program("kernbench", "");
  Command& command = program.add_command(name, "");
  describe_options(command, bound, *options.invocation);
  bound = options;
  return command.words([](const Option&) { return true; });
}

}  // namespace

std::string replay_command(const SimOptions& options) {
  return shell_line(options.invocation->program, words_of("replay", describe_replay, options));
}

Words rerun_words(const SimOptions& options, const sim::CaseSpec& spec) {
  SimOptions again = options_again(options, spec.suite->name, spec.seed);
  again.fault = spec.fault == nullptr ? "" : fault_name(spec.fault->fault.kind);
  return words_of("sim", describe, again);
}

Words rerun_words(const SimOptions& options, const maze::Shape& shape,
                  const sim::NetworkCase& one) {
  SimOptions again = options_again(options, one.name, one.seed);
  if (options.model.empty()) again.fabric = shape;
  return words_of("sim", describe, again);
}

Words rerun_words(const SimOptions& options, const std::string& suite, std::uint64_t seed) {
  return words_of("sim", describe, options_again(options, suite, seed));
}

std::string rerun_command(const SimOptions& options, const sim::CaseSpec& spec) {
  return shell_line(options.invocation->program, rerun_words(options, spec));
}

std::string rerun_command(const SimOptions& options, const maze::Shape& shape,
                          const sim::NetworkCase& one) {
  return shell_line(options.invocation->program, rerun_words(options, shape, one));
}

std::string rerun_command(const SimOptions& options, const std::string& suite, std::uint64_t seed) {
  return shell_line(options.invocation->program, rerun_words(options, suite, seed));
}

std::string regression_command(const SimOptions& options, const std::string& file) {
  SimOptions other = options_again(options, "", 0);
  other.config = file;
  other.suites.clear();
  other.seed.reset();
  other.seeds.reset();
  other.cycles.reset();
  other.fabric.reset();
  other.noc.clear();
  other.high_bound.reset();
  other.fixed_priority = false;
  other.fault.clear();
  return shell_line(options.invocation->program, words_of("sim", describe, other));
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

// SPDX-License-Identifier: Apache-2.0
#include "cli/sim_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/console.hpp"
#include "cli/revision.hpp"
#include "cli/sim_stages.hpp"
#include "cli/sim_structure.hpp"
#include "cli/sim_waves.hpp"
#include "common/archive.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/interrupt.hpp"
#include "common/shell_quote.hpp"
#include "common/text_distance.hpp"
#include "sim/build/model_store.hpp"
#include "sim/check/rtl_reports.hpp"
#include "sim/dut/code_coverage.hpp"
#include "sim/network/network_archive.hpp"
#include "sim/network/network_regression.hpp"
#include "sim/network/network_spec.hpp"
#include "sim/report/network_report.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;
using sim::NetworkCase;
using sim::NetworkCaseRun;
using sim::NetworkRegression;
using sim::NetworkResult;

/// Bins without a hit that are listed.
constexpr std::size_t kMostHoles = 10;
/// Lines of the output of the RTL that are shown of a case.
constexpr std::size_t kMostLines = 5;

/// The fewest cycles that a reset of a shortened case is given.
constexpr std::uint64_t kCyclesOfReset = 30;

/// Returns the resets that a case with --cycles has at most.
std::uint64_t most_resets(std::uint64_t cycles) {
  return std::max<std::uint64_t>(1, cycles / kCyclesOfReset);
}

/// Refuses options that only a regression of TOPO has.
void refuse_topo_options(const SimOptions& options) {
  const std::pair<const char*, bool> of_topo[] = {{"--fault", !options.fault.empty()},
                                                  {"--durations", options.durations != 0},
                                                  {"--no-checkers", options.no_checkers},
                                                  {"--no-structure", options.no_structure}};
  for (const auto& [name, given] : of_topo) {
    if (!given) continue;
    throw common::BadInput(fmt::format("{} is for regressions of TOPO; {} is one of the network",
                                       name, options.config));
  }
}

/// Returns all cases on a network of this shape, with the seeds and cycles of the options.
std::vector<NetworkCase> all_cases(const SimOptions& options, sim::NetworkSpec spec,
                                   const maze::Shape& shape) {
  (void)sim::move_to_network(spec, shape);
  std::vector<NetworkCase> cases;
  for (const NetworkCase& one : sim::network_cases(spec)) {
    for (std::uint64_t i = 0; i < options.seeds.value_or(1); ++i) {
      cases.push_back(one);
      cases.back().seed += i;
    }
  }
  for (NetworkCase& one : cases) {
    if (!options.cycles || one.cycles == 0) continue;
    one.cycles = *options.cycles;
    one.resets =
        static_cast<unsigned>(std::min<std::uint64_t>(one.resets, most_resets(one.cycles)));
  }
  return cases;
}

/// Returns true if --suite selects a suite, or one case of it.
bool is_asked(const SimOptions& options, const std::string& suite, const std::string& name) {
  return options.suites.empty() || std::ranges::any_of(options.suites, [&](const auto& asked) {
           return asked == suite || asked == name;
         });
}

/// Names what a network of this shape, or --cycles, leaves out of what --suite selects.
void print_left_out(const SimOptions& options, sim::NetworkSpec spec, const maze::Shape& shape) {
  const std::vector<NetworkCase> whole = sim::network_cases(spec);
  for (const sim::LeftOut& left : sim::move_to_network(spec, shape)) {
    if (!is_asked(options, left.suite, left.suite)) continue;
    print_note(fmt::format("left out of {}x{} nodes: {}: {}", shape.nx, shape.ny, left.suite,
                           left.reason));
  }
  const auto has_too_many = [&](const NetworkCase& one) {
    return options.cycles && is_asked(options, one.suite, one.name) &&
           one.resets > most_resets(*options.cycles);
  };
  if (std::ranges::any_of(whole, has_too_many)) {
    print_note(fmt::format("a case of {} cycles has at most one reset in {}", *options.cycles,
                           kCyclesOfReset));
  }
}

/// Returns the cases that --suite selects: a suite, or one case.
std::vector<NetworkCase> selected(const SimOptions& options, const sim::NetworkSpec& spec,
                                  const maze::Shape& shape) {
  std::vector<NetworkCase> all = all_cases(options, spec, shape);
  if (options.suites.empty()) return all;
  std::vector<std::string_view> known;
  for (const NetworkCase& one : all) {
    if (std::find(known.begin(), known.end(), one.suite) == known.end()) known.push_back(one.suite);
  }
  for (const NetworkCase& one : all) known.push_back(one.name);
  for (const std::string& name : options.suites) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw common::BadInput(fmt::format("--suite: the network regression has no suite '{}'{}", name,
                                       common::did_you_mean(name, known)));
  }
  std::erase_if(all,
                [&](const NetworkCase& one) { return !is_asked(options, one.suite, one.name); });
  return all;
}

/// Runs the cases. Leaves out those that did not run, after an interruption or with --fail-fast.
std::vector<NetworkCaseRun> run_all(const sim::NetworkLibrary& library,
                                    const std::vector<NetworkCase>& cases,
                                    const SimOptions& options, common::Parts* parts) {
  std::vector<NetworkCaseRun> runs;
  for (const NetworkCase& one : cases) runs.emplace_back().spec = one;
  std::atomic<bool> failed = false;
  common::run_loop(
      parts, options.threads(),
      {.count = runs.size(),
       .compute =
           [&](std::size_t i) {
             if (common::interrupted()) return false;
             if (options.fail_fast && failed) return true;
             runs[i].result =
                 sim::run_network_case(library, runs[i].spec, nullptr,
                                       options.code_coverage.empty()
                                           ? ""
                                           : fmt::format("{}/{}.dat", options.code_coverage, i));
             if (runs[i].result.outcome != Outcome::Pass) failed = true;
             return !common::interrupted();
           },
       .bytes_of = [&](std::size_t i) { return common::archived(runs[i].result); },
       .take = [&](std::size_t i,
                   const std::string& bytes) { common::unarchive(bytes, runs[i].result); }});
  std::erase_if(runs, [](const NetworkCaseRun& one) { return !one.result.coverage; });
  return runs;
}

std::string mean(const sim::LatencyHistogram& latency) {
  return latency.copies() == 0 ? "-" : fmt::format("{:.1f}", latency.mean());
}

/// Returns the shell command that runs one case again.
std::string rerun(const SimOptions& options, const maze::Shape& shape, const NetworkCase& one) {
  std::string text = fmt::format("{} sim --network", common::shell_quote(options.program));
  text += options.model.empty()
              ? fmt::format(" --fabric {}x{}x{}", shape.nx, shape.ny, shape.flit_w)
              : " --model " + common::shell_quote(options.model);
  if (options.own_config) text += " --config " + common::shell_quote(options.config);
  text += rtl_options(options.rtl) + plusarg_options(options.plusargs);
  if (options.cycles) text += fmt::format(" --cycles {}", *options.cycles);
  if (options.high_bound) text += fmt::format(" --high-bound {}", *options.high_bound);
  if (options.fixed_priority) text += " --fixed-priority";
  if (options.node_checkers) text += " --node-checkers";
  if (options.models != options.default_models) {
    text += " --models " + common::shell_quote(options.models);
  }
  if (options.waves != SimOptions{}.waves) text += " --waves " + common::shell_quote(options.waves);
  return text + fmt::format(" --suite {} --seed {}", one.name, one.seed) + report_again(options);
}

/// Returns a hash of the network's size, of the regression's file and of its cases.
std::string hash_of(const maze::Shape& shape, const sim::NetworkSpec& spec,
                    const std::vector<NetworkCase>& cases, const SimOptions& options) {
  std::string text = fmt::format("{}x{}x{}", shape.nx, shape.ny, shape.flit_w) + spec.text;
  for (const NetworkCase& one : cases) {
    text += fmt::format(" {}/{}/{}", one.name, one.seed, one.cycles);
  }
  text += plusarg_options(options.plusargs);
  return common::hex64(common::hash_bytes(text));
}

/// Prints one row for the cases of each suite, with latencies from A to B in cycles.
void print_suites(const NetworkRegression& network) {
  print("{:<14} {:>5} {:>12} {:>12} {:>9}  {:>8} {:>8} {:>8}\n", "suite", "cases", "accepted at A",
        "copies at B", "cycles", "low", "high", "longest");
  for (const sim::NetworkSuite& suite : network.suites()) {
    const NetworkResult& sum = suite.sum;
    print("{:<14} {:>5} {:>13} {:>12} {:>9}  {:>8} {:>8} {:>8}\n", suite.name, suite.cases,
          sim::grouped(sum.accepted), sim::grouped(sum.delivered), sim::grouped(sum.cycles),
          mean(sum.traffic.of_qos(0)), mean(sum.traffic.of_qos(1)), sum.traffic.of_all().longest());
  }
}

/// Prints the bins of all cases. Returns the bins without a hit.
std::uint64_t print_coverage(const sim::NetworkCoverage& coverage) {
  std::uint64_t missed = 0;
  print("\n{:<30} {:>7} {:>7}\n", "coverage", "hit", "bins");
  for (const sim::NetworkBins& group : coverage.bins()) {
    print("{:<30} {:>7} {:>7}\n", group.name, sim::grouped(group.hit), sim::grouped(group.bins));
    missed += group.bins - group.hit;
  }
  for (const std::string& hole : coverage.holes(kMostHoles)) print("  not covered: {}\n", hole);
  print("\n");
  return missed;
}

/// Prints the suites, the cases that failed, the coverage and the verdict.
void print_result(const NetworkRegression& network) {
  if (const std::string text = sim::checks_text(network.rtl_checks); !text.empty()) {
    print("{}\n", text);
  }
  print_suites(network);
  std::size_t failed = 0;
  for (const NetworkCaseRun& one : network.cases) {
    if (one.result.failure.text.empty()) continue;
    ++failed;
    print_error(fmt::format("{}: {}", one.spec.name, one.result.failure.text));
    if (!one.result.rtl_text.text.empty()) {
      print("output of the RTL:\n{}\n", sim::shortened(one.result.rtl_text, kMostLines));
    }
    print("again: {}\n", one.command);
  }
  if (network.outcome == Outcome::Interrupted) {
    print_error(fmt::format("interrupted after {} of {} cases; the reports have those",
                            network.cases.size(), network.planned));
    return;
  }
  const std::uint64_t missed = print_coverage(*network.sum.coverage);
  if (network.outcome == Outcome::Pass) {
    print(
        "PASS  {} copies from A to B, all ports of {} nodes equal to the reference in {} cycles\n",
        sim::grouped(network.sum.delivered), network.shape.nodes(),
        sim::grouped(network.sum.cycles));
  } else if (network.sum.outcome == Outcome::Pass) {
    print("FAIL  {} not covered\n", sim::counted(missed, "bin"));
  } else {
    const std::size_t left = network.planned - network.cases.size();
    print("FAIL  {} of {} failed{}\n", failed, sim::counted(network.cases.size(), "case"),
          left == 0 ? "" : fmt::format(", {} not run", left));
  }
}

/// Prints the commands that open the waves. `make wave` opens the first of them.
void print_views(const NetworkRegression& network, const std::string& root,
                 const std::string& report_folder) {
  bool is_first = true;
  for (const NetworkCaseRun& one : network.cases) {
    if (one.view.empty()) continue;
    if (is_first) remember_wave(root, report_folder + "/" + one.wave_setup);
    is_first = false;
    print("{}: view: {}\n", one.spec.name, one.view);
  }
}

/// Prints the line of the last stage of --watch.
void print_end_of_watch(const NetworkRegression& network) {
  const auto failed = std::find_if(network.cases.begin(), network.cases.end(), [](const auto& one) {
    return !one.result.failure.text.empty();
  });
  print_stage(network.outcome == Outcome::Pass,
              fmt::format("{}x{}", network.shape.nx, network.shape.ny), network.seconds,
              failed == network.cases.end()
                  ? sim::counted(network.cases.size(), "case")
                  : fmt::format("{}: {}", failed->spec.name, failed->result.failure.text));
}

sim::NetworkRequest request_of(const maze::Shape& shape, const sim::NetworkSpec& spec,
                               const SimOptions& options) {
  return {shape, spec.high_bound, spec.fixed_priority, options.node_checkers, options.rtl};
}

/// Refuses a model of another size or with other arbiters than were asked for.
void check_model(const sim::NetworkInfo& info, const maze::Shape& asked,
                 const sim::NetworkSpec& spec, const SimOptions& options) {
  const maze::Shape& shape = info.config.shape;
  if (options.fabric && shape != asked) {
    throw common::BadInput(fmt::format("--fabric: the model {} has {}x{}x{}, not {}x{}x{}",
                                       options.model, shape.nx, shape.ny, shape.flit_w, asked.nx,
                                       asked.ny, asked.flit_w));
  }
  if (options.high_bound && info.config.high_bound != *options.high_bound) {
    throw common::BadInput(fmt::format("--high-bound: the model {} has {}, not {}", options.model,
                                       info.config.high_bound, spec.high_bound));
  }
  if (options.fixed_priority && !info.config.fixed_priority) {
    throw common::BadInput(
        fmt::format("--fixed-priority: the model {} has round robin", options.model));
  }
}

/// Returns the stages in which the model of a network is built: the structure, and a 2x2 network.
StagePlan network_stages(const maze::Shape& shape, const sim::NetworkSpec& spec,
                         const sim::ModelStore& store, const SimOptions& options) {
  const maze::Shape small{2, 2, shape.flit_w};
  StagePlan plan;
  plan.shape = shape;
  plan.is_current = [=, &store, &options, &spec] {
    return store.is_network_current(request_of(shape, spec, options));
  };
  plan.build = [=, &store, &options, &spec] {
    return store.ensure_network(request_of(shape, spec, options));
  };
  plan.structure = [=, &store, &options] {
    const sim::ElaboratedDesign design = store.ensure_network_design(shape, options.rtl);
    return sim::structure::structure_of_design(design.folder, shape, design.build_hash,
                                               /*network=*/true);
  };
  plan.small = small;
  plan.build_small = [=, &store, &options, &spec] {
    return store.ensure_network(request_of(small, spec, options));
  };
  plan.run_small = [=, &options, &spec](const std::string& path) {
    const sim::NetworkLibrary library(path, options.plusargs);
    const std::vector<NetworkCaseRun> runs =
        run_all(library, selected(options, spec, small), options, nullptr);
    SmallRun shown{runs.size(), {}};
    for (const NetworkCaseRun& one : runs) {
      if (one.result.failure.text.empty()) continue;
      shown.failures.push_back(fmt::format("{}: {}\n  again: {}", one.spec.name,
                                           one.result.failure.text,
                                           rerun(options, small, one.spec)));
    }
    return shown;
  };
  return plan;
}

/// Runs the regression of a network on its model, and writes the reports.
Outcome run_network(const maze::Shape& asked, const sim::NetworkSpec& spec,
                    const sim::ModelStore& store, const SimOptions& options,
                    const Invocation& invocation) {
  // Before the build, which takes a minute.
  const WaveOption waves = checked_waves(options, selected(options, spec, asked).size());
  const std::string job_output = options.report + "/network.json";
  check_engine(options.parts, invocation, job_output);
  require_writable(options.report, sim::kNetworkReports);
  const common::InterruptGuard guard;
  NetworkRegression network;
  network.model = options.model;
  if (options.model.empty()) {
    const StagedModel staged =
        built_in_stages(network_stages(asked, spec, store, options), options);
    if (!staged.library) throw common::Interrupted{};
    network.model = *staged.library;
  }
  print_build_notes(network.model);
  const sim::NetworkLibrary library(network.model, options.plusargs);
  const auto dut = library.create(1);
  const sim::NetworkInfo info = dut->info();
  const maze::Shape shape = info.config.shape;
  if (!options.code_coverage.empty()) {
    if (!info.coverage) {
      throw common::BadInput(sim::without_code_coverage(network.model, "DEVICE=network "));
    }
    common::ensure_directory(options.code_coverage);
  }
  check_model(info, asked, spec, options);
  const std::vector<NetworkCase> cases = selected(options, spec, shape);
  if (!options.parts.is_task()) print_left_out(options, spec, shape);
  network.shape = shape;
  network.seed = spec.seed;
  network.model_hash = info.build_hash;
  network.checkers = info.checkers;
  network.rtl_checks = dut->rtl_checks();
  network.config_hash = hash_of(shape, spec, cases, options);
  network.revision = source_revision();
  network.command = command_as_typed(options, invocation.command_line);
  network.full_coverage = spec.full_coverage && options.suites.empty() && !options.cycles;
  network.planned = cases.size();
  const auto start = std::chrono::steady_clock::now();
  const auto parts = parts_of(
      options.parts, invocation, job_output,
      options.model.empty() ? std::vector{"--model=" + network.model} : std::vector<std::string>());
  if (!options.parts.is_task()) remove_reports(options.report, sim::kNetworkReports);
  network.cases = run_all(library, cases, options, parts.get());
  network.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (NetworkCaseRun& one : network.cases) one.command = rerun(options, shape, one.spec);
  network.conclude(common::interrupted());
  std::vector<std::string> errors = sim::write_network_reports(options.report, network);
  if (options.watch) {
    print_end_of_watch(network);
  } else {
    print_result(network);
  }
  Outcome outcome = network.outcome;
  if (errors.empty() && outcome != Outcome::Interrupted) {
    outcome = common::worst(outcome, attempt_waves([&] {
                              write_network_waves(network, waves, store, options.plusargs,
                                                  options.report);
                            }));
    errors = sim::write_network_reports(options.report, network);
    print_views(network, invocation.root, options.report);
  }
  std::fflush(stdout);
  for (const std::string& error : errors) print_error(error);
  return errors.empty() || outcome != Outcome::Pass ? outcome : Outcome::BadInput;
}

}  // namespace

Outcome simulate_network(const SimOptions& options, const std::string& text,
                         const Invocation& invocation) {
  refuse_topo_options(options);
  sim::NetworkSpec spec = sim::parse_network_regression(text, options.config);
  if (options.seed) spec.seed = *options.seed;
  if (options.high_bound) spec.high_bound = *options.high_bound;
  if (options.fixed_priority) spec.fixed_priority = true;
  const maze::Shape asked = options.fabric.value_or(spec.shape);
  if (options.list) {
    for (const NetworkCase& one : selected(options, spec, asked)) fmt::print("{}\n", one.name);
    return Outcome::Pass;
  }
  const sim::ModelStore store(invocation.root, options.models);
  const auto run = [&] { return run_network(asked, spec, store, options, invocation); };
  if (!options.watch) return run();
  return watch([&] { return store.network_sources(request_of(asked, spec, options)); }, run);
}

}  // namespace kernbench::cli

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/revision.hpp"
#include "cli/line/files.hpp"
#include "cli/rtl/run_history.hpp"
#include "cli/rtl/sim_end.hpp"
#include "cli/rtl/sim_network.hpp"
#include "cli/rtl/sim_options.hpp"
#include "cli/rtl/sim_selection.hpp"
#include "cli/rtl/sim_soak.hpp"
#include "cli/rtl/sim_stages.hpp"
#include "cli/rtl/sim_structure.hpp"
#include "cli/rtl/sim_waves.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/interrupt.hpp"
#include "common/places.hpp"
#include "common/shell_quote.hpp"
#include "common/text_distance.hpp"
#include "common/text_file.hpp"
#include "common/yaml_reader.hpp"
#include "sim/build/model_store.hpp"
#include "sim/cover/coverage_file.hpp"
#include "sim/fault/fault_spec.hpp"
#include "sim/network/network_spec.hpp"
#include "sim/noc/noc_spec.hpp"
#include "sim/regression/known_failures.hpp"
#include "sim/regression/proofs.hpp"
#include "sim/regression/regression_runner.hpp"
#include "sim/regression/shortened.hpp"
#include "sim/report/regression_digest.hpp"
#include "sim/report/regression_progress.hpp"
#include "sim/report/report_writer.hpp"
#include "sim/stimulus/traffic_names.hpp"
#include "sim/wave/gtkwave_setup.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;
using sim::CaseSpec;
using sim::RegressionSpec;
using sim::SuiteSpec;

std::uint64_t planned_cycles(const std::vector<CaseSpec>& cases) {
  std::uint64_t sum = 0;
  for (const CaseSpec& spec : cases) {
    const bool runs_out = spec.suite->kind == sim::SuiteKind::Connectivity ||
                          spec.suite->traffic.pattern == sim::Pattern::LinkWalk ||
                          spec.suite->traffic.pattern == sim::Pattern::Trace;
    sum += runs_out ? 0 : spec.suite->cycles;
  }
  return sum;
}

sim::RegressionRun run_all(const RegressionSpec& spec, const sim::DutLibrary& library,
                           const SimOptions& options, common::Parts* parts) {
  const std::vector<CaseSpec> cases = sim::list_cases(spec);
  sim::RegressionProgress done(cases.size(), planned_cycles(cases));
  const common::Progress progress([&done] { return done.state(); });
  sim::RunOptions run = run_options(options, parts, done);
  run.command = [&](std::size_t i) { return rerun_command(options, cases[i]); };
  return sim::run_regression(spec, library, run);
}

/// Returns what was proven of the repository's RTL, if that is what runs.
std::optional<sim::Proofs> proofs_of(const SimOptions& options, const std::string& root) {
  if (!options.rtl.shipped() || !options.model.empty()) return std::nullopt;
  return sim::read_proofs(sim::kProofsFolder, sim::rtl_hash(root + "/rtl/topo.f"), options.report);
}

/// Returns the smaller fabrics of the same RTL whose models are built, on which a script may fail
/// as a case does.
std::vector<sim::CaseRerun> smaller_fabrics(const maze::Shape& shape, const CaseSpec& spec,
                                            const sim::ModelStore& store,
                                            const SimOptions& options) {
  std::vector<sim::CaseRerun> fabrics;
  if (!options.model.empty()) return fabrics;
  const auto request = [&options](const maze::Shape& one) {
    return sim::ModelRequest{one, !options.no_checkers, false, options.rtl};
  };
  const auto suite = std::make_shared<SuiteSpec>(*spec.suite);
  suite->kind = sim::SuiteKind::Traffic;
  suite->traffic = {};
  suite->back_pressure = {};
  suite->script.reset();
  suite->reset_at.clear();
  suite->resets = {};
  for (const maze::Shape& one : smaller_shapes(
           shape, [&](const maze::Shape& tried) { return store.is_current(request(tried)); })) {
    const sim::DutLibrary library(store.ensure(request(one)), options.plusargs);
    sim::CaseRerun& rerun = fabrics.emplace_back();
    rerun.config.shape = one;
    rerun.watchdog_cycles = suite->watchdog_cycles;
    rerun.run = [suite, library, seed = spec.seed](sim::CaseObserver& observer) {
      sim::CaseOptions of_case;
      of_case.observer = &observer;
      return sim::run_case({suite.get(), seed, nullptr}, *library.create(seed), of_case).result;
    };
  }
  return fabrics;
}

/// Returns what follows a run of TOPO: waves on the model with them, and its coverage file.
FinishedRun finished(sim::RegressionRun& run, const sim::ModelStore& store,
                     const std::string& model, const SimOptions& options) {
  FinishedRun done{run.result, {}, run.specs.size(), {}, {}, {}};
  done.causes = [&run, &store, &options, model](std::size_t i) {
    const sim::DutLibrary library(model, options.plusargs);
    sim::CaseRerun rerun;
    rerun.config.shape = run.result.shape;
    rerun.design = std::filesystem::path(model).parent_path().string();
    rerun.findings =
        findings_of(sim::structure::structure_of_model(model, library.create(0)->info()));
    rerun.shrink_cycles = options.shrink;
    rerun.watchdog_cycles = run.specs[i].suite->watchdog_cycles;
    if (options.smaller) {
      rerun.smaller = smaller_fabrics(run.result.shape, run.specs[i], store, options);
    }
    rerun.run = [spec = run.specs[i], library](sim::CaseObserver& observer) {
      sim::CaseOptions of_case;
      of_case.observer = &observer;
      return sim::run_case(spec, *library.create(spec.seed), of_case).result;
    };
    return CaseCause{
        [rerun](const sim::CaseResult& failed) { return sim::diagnose(failed, rerun); },
        rerun_words(options, run.specs[i]),
        [&options](const std::string& file) { return regression_command(options, file); }};
  };
  if (run.coverage) done.coverage = run.coverage->summary();
  done.open_tracer = [&run, &store, &options, model] {
    const sim::DutLibrary traced(store.ensure_traced(model, run.result.model_hash),
                                 options.plusargs);
    return CaseTracer{
        [&run, traced](std::size_t i, const sim::TraceWindow& window) {
          sim::trace_case(run.specs[i], run.result.cases[i], traced, window, common::interrupted);
        },
        [&run](const std::string& setup, const std::string& waves, const sim::Failure& shown,
               const sim::CaseResult& result) {
          sim::write_gtkwave_setup(setup, waves, run.result.shape, shown, result.fault.has_value());
        }};
  };
  if (!run.coverage) return done;
  done.write_more = [&run, &options] {
    sim::write_coverage_file(options.report + "/coverage.json", *run.coverage,
                             {sim::covered_run(run.result)}, sim::report_header(run.result));
  };
  return done;
}

/// Runs the regression on its model, and writes the reports.
Outcome run_regression(const RegressionSpec& spec, const sim::ModelStore& store,
                       const sim::ModelRequest& request, const SimOptions& options,
                       const Invocation& invocation) {
  const common::InterruptGuard guard;
  const WaveOption waves = checked_waves(options, sim::list_cases(spec).size());
  check_engine(options.parts, invocation, options.job_output());
  require_writable(options.report, kReports);
  if (!options.code_coverage.empty()) common::ensure_directory(options.code_coverage);
  // Before the build, so that they are of the RTL that runs.
  std::optional<sim::Proofs> proofs = proofs_of(options, invocation.root);
  const std::string config_hash = hash_of_values(*invocation.command, spec.text);
  const StagedModel staged =
      options.model.empty() ? built_in_stages(topo_stages(spec, store, request, options), options)
                            : StagedModel{options.model};
  const std::optional<std::string>& path = staged.library;
  sim::RegressionRun run;
  std::optional<sim::CaseResult> structure;
  if (path) {
    print_build_notes(*path);
    const sim::DutLibrary library(*path, options.plusargs);
    const auto parts =
        parts_of(options.parts, invocation, options.job_output(),
                 options.model.empty() ? TaskValues{{"--model", *path}} : TaskValues{});
    if (!options.parts.is_task())
      structure = check_structure(library, options, options.watch || staged.structure_shown);
    if (!options.parts.is_task()) remove_reports(options.report, kReports);
    run = run_all(spec, library, options, parts.get());
  } else {  // interrupted while the model was built
    run.result.config = spec.path;
    run.result.seed = spec.seed;
    run.result.shape = spec.shape;
    run.result.outcome = Outcome::Interrupted;
    run.result.planned = sim::list_cases(spec).size();
  }
  run.result.command = shell_line(invocation.program, invocation.words());
  run.result.revision = source_revision();
  run.result.config_hash = config_hash;
  run.result.proofs = std::move(proofs);
  if (run.result.outcome != Outcome::Interrupted) add_structure(run.result, std::move(structure));
  return conclude(finished(run, store, path.value_or(""), options), waves, options,
                  invocation.root);
}

}  // namespace

Outcome run_simulation(const SimOptions& given, const Invocation& invocation) {
  SimOptions options = given;
  if (!options.history.empty() && !options.list && !options.parts.is_task()) {
    require_history(options.history);
  }
  if (!options.known.empty()) {
    options.known_list =
        std::make_shared<sim::KnownFailures>(sim::read_known_failures(options.known));
  }
  if (!options.parts.is_task()) check_sources(options, invocation.root);
  const std::string text = common::read_text_file(options.config, common::kMaxYamlBytes);
  const std::string dut = sim::dut_of_regression(text, options.config);
  if (dut == "noc") {
    if (!invocation.parts.simulate_noc) fail_not_in_this_build("sim of a network of any topology");
    return invocation.parts.simulate_noc(options, text, invocation);
  }
  if (!options.noc.empty()) {
    throw BadInput(
        fmt::format("--noc: {} is not a regression of a network of any topology, "
                    "with 'dut: noc'",
                    options.config));
  }
  if (dut == "network") return simulate_network(options, text, invocation);
  if (options.node_checkers || options.high_bound || options.fixed_priority) {
    throw BadInput(
        fmt::format("--node-checkers, --high-bound and --fixed-priority are of a network: {} is a "
                    "regression of TOPO, without 'dut: network'",
                    options.config));
  }
  const RegressionSpec spec = selected_regression(options, text);
  if (options.list) {
    list_suites(spec);
    return Outcome::Pass;
  }
  const sim::ModelStore store(invocation.root, options.models);
  const sim::ModelRequest request{spec.shape, !options.no_checkers, false, options.rtl};
  const auto run = [&] { return run_regression(spec, store, request, options, invocation); };
  if (!options.watch) return run();
  return watch([&] { return store.sources(request); }, run);
}

void add_sim_command(Command& program, const Invocation& invocation) {
  const auto options = std::make_shared<SimOptions>();
  Command& sim = program.add_command("sim", "Run a regression on the verilated TOPO");
  describe(sim, *options, invocation);
  sim.footer =
      "Examples:\n"
      "  kernbench sim                                  the shipped sign-off regression\n"
      "  kernbench sim --list                           the suites of that regression\n"
      "  kernbench sim --suite saturation --seed 7      one suite with another seed\n"
      "  kernbench sim configs/regressions/network.yaml   all nodes and links, from A to B\n"
      "  kernbench sim my-network.yaml                  the same with suites of your own\n"
      "  kernbench sim configs/regressions/faults.yaml --fault drop\n"
      "  kernbench sim --filelist my/topo.f -I my/include -D DEPTH=2   other RTL\n"
      "  kernbench sim --packets 1000000000 --resume    a billion packets, seed after seed";
  sim.run = [&sim, options, &invocation] {
    if (!options->packets) return run_simulation(*options, invocation);
    if (!sim.given("regression")) {
      options->config =
          common::seen_from_here(std::filesystem::path(invocation.root) / kSoakRegression);
    }
    return soak(*options, invocation);
  };
}

void add_structure_command(Command& program, const Invocation& invocation) {
  const auto options = std::make_shared<SimOptions>();
  Command& structure = program.add_command(
      "structure", "Check the structure of RTL: links, drivers, loops, data; in seconds");
  describe_structure(structure, *options, invocation);
  structure.footer =
      "Examples:\n"
      "  kernbench structure --fabric 3x5     the links of TOPO\n"
      "  kernbench structure network          the same of the network, nodes included\n"
      "  kernbench structure --noc 'Mesh2D(4,3)'   wires and tables of any topology\n"
      "  kernbench structure --fabric 4x4 --write-verilog topo.v   TOPO for Yosys or Icarus";
  structure.run = [options, &invocation] {
    check_sources(*options, invocation.root);
    if (options->noc.empty()) return check_structure_only(*options, invocation.root);
    if (!invocation.parts.check_noc_structure) {
      fail_not_in_this_build("structure of a network of any topology");
    }
    return invocation.parts.check_noc_structure(*options, invocation);
  };
}

}  // namespace kernbench::cli

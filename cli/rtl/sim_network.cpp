// SPDX-License-Identifier: Apache-2.0
#include "cli/rtl/sim_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/base/console.hpp"
#include "cli/base/revision.hpp"
#include "cli/line/files.hpp"
#include "cli/rtl/sim_end.hpp"
#include "cli/rtl/sim_selection.hpp"
#include "cli/rtl/sim_stages.hpp"
#include "cli/rtl/sim_structure.hpp"
#include "cli/rtl/sim_waves.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/interrupt.hpp"
#include "common/shell_quote.hpp"
#include "common/text_distance.hpp"
#include "sim/build/model_store.hpp"
#include "sim/dut/code_coverage.hpp"
#include "sim/network/network_run.hpp"
#include "sim/network/network_spec.hpp"
#include "sim/report/regression_progress.hpp"
#include "sim/wave/gtkwave_setup.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;
using sim::NetworkCase;
using sim::NetworkRegression;

/// The fewest cycles that a reset of a shortened case is given.
constexpr std::uint64_t kCyclesOfReset = 30;

/// Returns the resets that a case with --cycles has at most.
std::uint64_t most_resets(std::uint64_t cycles) {
  return std::max<std::uint64_t>(1, cycles / kCyclesOfReset);
}

/// Returns all cases on a network of this shape, with the seeds, faults and cycles of the options.
std::vector<NetworkCase> all_cases(const SimOptions& options, sim::NetworkSpec spec,
                                   const maze::Shape& shape) {
  (void)sim::move_to_network(spec, shape);
  for (sim::NetworkSuiteSpec& suite : spec.suites) {
    if (options.seeds) suite.seeds = *options.seeds;
  }
  std::vector<NetworkCase> cases = sim::network_cases(spec);
  if (!options.fault.empty()) {
    std::erase_if(cases, [&](const NetworkCase& network_case) {
      return !network_case.fault ||
             sim::fault_name(network_case.fault->fault.kind) != options.fault;
    });
  }
  for (NetworkCase& one : cases) {
    if (!options.cycles || one.cycles == 0) continue;
    one.cycles = *options.cycles;
    one.resets =
        static_cast<unsigned>(std::min<std::uint64_t>(one.resets, most_resets(one.cycles)));
  }
  return cases;
}

/// Names what a network of this shape, or --cycles, leaves out of what --suite selects.
void print_left_out(const SimOptions& options, sim::NetworkSpec spec, const maze::Shape& shape) {
  const std::vector<NetworkCase> whole = sim::network_cases(spec);
  for (const sim::LeftOut& left : sim::move_to_network(spec, shape)) {
    if (!is_asked(options, left.suite, left.suite)) continue;
    print_note(fmt::format("left out of {}x{} nodes: {}: {}", shape.nx, shape.ny, left.suite,
                           left.reason));
  }
  const auto has_too_many = [&](const NetworkCase& network_case) {
    return options.cycles && is_asked(options, network_case.suite, network_case.name) &&
           network_case.resets > most_resets(*options.cycles);
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
  if (all.empty()) {
    throw common::BadInput(
        options.fault.empty()
            ? fmt::format("no suite of {} is left to run", options.config)
            : fmt::format("no suite of {} injects the fault '{}'", options.config, options.fault));
  }
  if (options.suites.empty()) return all;
  std::vector<std::string_view> known;
  for (const NetworkCase& network_case : all) {
    if (std::find(known.begin(), known.end(), network_case.suite) == known.end())
      known.push_back(network_case.suite);
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

/// Runs the cases. `named` has what names the regression.
NetworkRegression run_all(const sim::NetworkLibrary& library, const std::vector<NetworkCase>& cases,
                          const maze::Shape& shape, sim::RegressionResult named,
                          const SimOptions& options, common::Parts* parts) {
  std::uint64_t cycles = 0;
  for (const NetworkCase& network_case : cases) cycles += network_case.cycles;
  sim::RegressionProgress done(cases.size(), cycles);
  const common::Progress progress([&done] { return done.state(); });
  sim::RunOptions run = run_options(options, parts, done);
  run.command = [&](std::size_t i) { return rerun_command(options, shape, cases[i]); };
  return sim::run_network_regression(std::move(named), cases, library, run);
}

/// Returns the structure of the RTL, nodes included.
sim::structure::ModelStructure structure_of(const maze::Shape& shape, const sim::ModelStore& store,
                                            const SimOptions& options) {
  const sim::ElaboratedDesign design = store.ensure_network_design(shape, options.rtl);
  return sim::structure::structure_of_design(design.folder, shape, design.build_hash,
                                             /*network=*/true);
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
  if (!options.no_structure) {
    plan.structure = [=, &store, &options] { return structure_of(shape, store, options); };
  }
  plan.small = small;
  plan.build_small = [=, &store, &options, &spec] {
    return store.ensure_network(request_of(small, spec, options));
  };
  plan.run_small = [=, &options, &spec](const std::string& path) {
    const sim::NetworkLibrary library(path, options.plusargs);
    std::vector<NetworkCase> cases = selected(options, spec, small);
    // The file knows for its own network which checkers notice a fault.
    std::erase_if(cases,
                  [](const NetworkCase& network_case) { return network_case.fault.has_value(); });
    return small_run(run_all(library, cases, small, {}, options, nullptr).result);
  };
  return plan;
}

/// Returns the smaller networks of the same RTL whose models are built, on which a script may fail
/// as a case does.
std::vector<sim::CaseRerun> smaller_networks(const maze::Shape& shape, const NetworkCase& spec,
                                             const sim::NetworkInfo& info,
                                             const sim::ModelStore& store,
                                             const SimOptions& options) {
  std::vector<sim::CaseRerun> networks;
  if (!options.model.empty() || spec.failed) return networks;
  const auto request = [&](const maze::Shape& one) {
    return sim::NetworkRequest{one, info.config.high_bound, info.config.fixed_priority,
                               options.node_checkers, options.rtl};
  };
  NetworkCase one = spec;
  one.pattern = sim::NetworkPattern::Kind;
  one.kind = nullptr;
  one.script.reset();
  one.resets = 0;
  for (const maze::Shape& size : smaller_shapes(shape, [&](const maze::Shape& tried) {
         return store.is_network_current(request(tried));
       })) {
    const sim::NetworkLibrary library(store.ensure_network(request(size)), options.plusargs);
    sim::CaseRerun& rerun = networks.emplace_back();
    rerun.network = true;
    rerun.config = library.create(one.seed)->info().config;
    rerun.watchdog_cycles = one.watchdog_cycles;
    rerun.run = [one, library](sim::CaseObserver& observer) {
      sim::CaseOptions of_case;
      of_case.observer = &observer;
      return sim::run_network_case(one, *library.create(one.seed), of_case).result;
    };
  }
  return networks;
}

/// Returns what follows a run: waves on the model with them.
FinishedRun finished(NetworkRegression& network, const sim::ModelStore& store,
                     const std::string& model, const SimOptions& options) {
  FinishedRun done{network.result, {}, network.specs.size(), {}, {}, {}};
  done.causes = [&network, &store, &options, model](std::size_t i) {
    const sim::NetworkLibrary library(model, options.plusargs);
    const NetworkCase& one = network.specs[i];
    sim::CaseRerun rerun;
    rerun.network = true;
    rerun.config = library.create(one.seed)->info().config;
    rerun.config.failed = one.failed;
    if (options.model.empty()) {
      rerun.design = store.ensure_network_design(network.result.shape, options.rtl).folder;
      rerun.findings = findings_of(structure_of(network.result.shape, store, options));
    }
    rerun.shrink_cycles = options.shrink;
    rerun.watchdog_cycles = one.watchdog_cycles;
    if (options.smaller) {
      const auto info = library.create(one.seed)->info();
      rerun.smaller = smaller_networks(network.result.shape, one, info, store, options);
    }
    rerun.run = [&one, library](sim::CaseObserver& observer) {
      sim::CaseOptions of_case;
      of_case.observer = &observer;
      return sim::run_network_case(one, *library.create(one.seed), of_case).result;
    };
    return CaseCause{
        [rerun](const sim::CaseResult& failed) { return sim::diagnose(failed, rerun); },
        rerun_words(options, network.result.shape, one),
        [&options](const std::string& file) { return regression_command(options, file); }};
  };
  if (network.coverage) done.coverage = network.coverage->summary();
  done.open_tracer = [&network, &store, &options, model] {
    const sim::NetworkLibrary traced(store.ensure_traced(model, network.result.model_hash),
                                     options.plusargs);
    return CaseTracer{[&network, traced](std::size_t i, const sim::TraceWindow& window) {
                        sim::trace_network_case(network.specs[i], network.result.cases[i], traced,
                                                window, common::interrupted);
                      },
                      [&network](const std::string& setup, const std::string& waves,
                                 const sim::Failure& shown, const sim::CaseResult& result) {
                        sim::write_network_setup(
                            setup, waves,
                            {.shape = network.result.shape, .failed = result.failed_node}, shown);
                      }};
  };
  return done;
}

/// Runs the regression of a network on its model, and writes the reports.
Outcome run_network(const maze::Shape& asked, const sim::NetworkSpec& spec,
                    const sim::ModelStore& store, const SimOptions& options,
                    const Invocation& invocation) {
  // Before the build, which takes a minute.
  const WaveOption waves = checked_waves(options, selected(options, spec, asked).size());
  check_engine(options.parts, invocation, options.job_output());
  require_writable(options.report, kReports);
  const common::InterruptGuard guard;
  std::string model = options.model;
  bool structure_shown = false;
  if (model.empty()) {
    const StagedModel staged =
        built_in_stages(network_stages(asked, spec, store, options), options);
    if (!staged.library) throw common::Interrupted{};
    model = *staged.library;
    structure_shown = staged.structure_shown;
  }
  print_build_notes(model);
  const sim::NetworkLibrary library(model, options.plusargs);
  const auto dut = library.create(spec.seed);
  const sim::NetworkInfo info = dut->info();
  if (!options.code_coverage.empty()) {
    sim::require_code_coverage(*dut, model, "DEVICE=network ");
    common::ensure_directory(options.code_coverage);
  }
  check_model(info, asked, spec, options);
  const maze::Shape shape = info.shape;
  const std::vector<NetworkCase> cases = selected(options, spec, shape);
  if (!options.parts.is_task()) print_left_out(options, spec, shape);
  sim::RegressionResult named;
  named.config = options.config;
  named.seed = spec.seed;
  named.config_hash = hash_of_values(*invocation.command, spec.text);
  named.revision = source_revision();
  named.command = shell_line(invocation.program, invocation.words());
  named.full_coverage = spec.full_coverage && options.suites.empty() && !options.cycles &&
                        !options.seeds && options.fault.empty();
  const auto parts =
      parts_of(options.parts, invocation, options.job_output(),
               options.model.empty() ? TaskValues{{"--model", model}} : TaskValues{});
  // A prebuilt model has no dump of its RTL.
  std::optional<sim::CaseResult> structure;
  if (options.model.empty() && !options.no_structure && !options.parts.is_task()) {
    const sim::structure::ModelStructure checked = structure_of(shape, store, options);
    const bool shipped = options.rtl.shipped();
    structure = options.watch || structure_shown ? sim::structure::structure_case(checked, shipped)
                                                 : show_structure(checked, shipped);
  }
  if (!options.parts.is_task()) remove_reports(options.report, kReports);
  NetworkRegression network =
      run_all(library, cases, shape, std::move(named), options, parts.get());
  if (structure || options.no_structure) {
    if (network.result.outcome != Outcome::Interrupted) {
      add_structure(network.result, std::move(structure));
    }
  } else {
    network.result.structure = "not checked";
  }
  return conclude(finished(network, store, model, options), waves, options, invocation.root);
}

}  // namespace

std::string network_model(const sim::NetworkSpec& spec, const SimOptions& options,
                          const sim::ModelStore& store) {
  const std::string model = options.model.empty()
                                ? store.ensure_network(request_of(spec.shape, spec, options))
                                : options.model;
  check_model(sim::NetworkLibrary(model).create(spec.seed)->info(), spec.shape, spec, options);
  return model;
}

Outcome simulate_network(const SimOptions& options, const std::string& text,
                         const Invocation& invocation) {
  if (options.no_checkers) {
    throw common::BadInput(
        "--no-checkers: the nodes of a network have checkers only with "
        "--node-checkers");
  }
  check_fault_name(options.fault);
  sim::NetworkSpec spec = sim::parse_network_regression(text, options.config);
  if (options.seed) spec.seed = *options.seed;
  if (options.high_bound) spec.high_bound = *options.high_bound;
  if (options.fixed_priority) spec.fixed_priority = true;
  const maze::Shape asked = options.fabric.value_or(spec.shape);
  if (options.list) {
    for (const NetworkCase& network_case : selected(options, spec, asked))
      fmt::print("{}\n", network_case.name);
    return Outcome::Pass;
  }
  const sim::ModelStore store(invocation.root, options.models);
  const auto run = [&] { return run_network(asked, spec, store, options, invocation); };
  if (!options.watch) return run();
  return watch([&] { return store.network_sources(request_of(asked, spec, options)); }, run);
}

}  // namespace kernbench::cli

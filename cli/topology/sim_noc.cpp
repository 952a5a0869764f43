// SPDX-License-Identifier: Apache-2.0
#include "cli/topology/sim_noc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/base/console.hpp"
#include "cli/base/revision.hpp"
#include "cli/line/files.hpp"
#include "cli/rtl/sim_end.hpp"
#include "cli/rtl/sim_selection.hpp"
#include "cli/rtl/sim_soak.hpp"
#include "cli/rtl/sim_stages.hpp"
#include "cli/rtl/sim_structure.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/progress.hpp"
#include "common/shell_quote.hpp"
#include "common/text_distance.hpp"
#include "common/text_file.hpp"
#include "cosim/noc/noc_design.hpp"
#include "sim/build/manifest.hpp"
#include "sim/build/model_store.hpp"
#include "sim/noc/noc_diagnosis.hpp"
#include "sim/noc/noc_run.hpp"
#include "sim/noc/noc_spec.hpp"
#include "sim/report/regression_progress.hpp"
#include "sim/structure/structure_check.hpp"
#include "sim/structure/structure_file.hpp"
#include "sim/wave/gtkwave_setup.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;
using sim::NocCase;

cosim::NocDesign chosen_network(const sim::NocNetworkSpec& spec) {
  std::vector<std::string> notes;
  cosim::NocDesign design = cosim::open_noc_design(spec, &notes);
  for (const std::string& note : notes) print_note(note);
  return design;
}

/// Returns the structure of the RTL of a network.
sim::structure::ModelStructure structure_of(const sim::NocRequest& request,
                                            const noc::Network& network,
                                            const sim::ModelStore& store) {
  const sim::ElaboratedDesign design = store.ensure_noc_design(request);
  return sim::structure::structure_of_design(
      design.folder, design.build_hash,
      [&](const std::string& path) { return sim::structure::check_noc_structure(path, network); });
}

/// Returns the stages in which the model of a network is built: the structure.
StagePlan noc_stages(const sim::NocRequest& request, const noc::Network& network,
                     const sim::ModelStore& store, const SimOptions& options) {
  StagePlan plan;
  plan.is_current = [&] { return store.is_noc_current(request); };
  plan.build = [&] { return store.ensure_noc(request); };
  if (!options.no_structure) {
    plan.structure = [&] { return structure_of(request, network, store); };
  }
  return plan;
}

std::vector<NocCase> selected_cases(const SimOptions& options, const sim::NocSpec& spec,
                                    const sim::NocDevice& device) {
  std::vector<sim::LeftOut> left_out;
  std::vector<NocCase> cases = sim::noc_cases(spec, device, left_out);
  std::vector<std::string_view> known;
  for (const sim::NocSuiteSpec& suite : spec.suites) known.push_back(suite.name);
  for (const NocCase& one : cases) known.push_back(one.name);
  for (const std::string& name : options.suites) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw BadInput(fmt::format("--suite: the regression has no suite '{}'{}", name,
                               common::did_you_mean(name, known)));
  }
  for (const sim::LeftOut& left : left_out) {
    if (is_asked(options, left.suite, left.suite) && !options.parts.is_task()) {
      print_note(fmt::format("left out of {}: {}: {}", device.name, left.suite, left.reason));
    }
  }
  std::erase_if(cases, [&](const NocCase& one) {
    return !is_asked(options, one.suite, one.name) ||
           (!options.fault.empty() &&
            (!one.fault || sim::fault_name(one.fault->kind) != options.fault));
  });
  if (cases.empty() && !options.fault.empty()) {
    throw BadInput(
        fmt::format("no suite of {} injects the fault '{}'", options.config, options.fault));
  }
  for (NocCase& one : cases) {
    if (options.cycles && !one.alone) {
      one.cycles = *options.cycles;
      if (one.resets != 0 && sim::problem(sim::ResetSpec{.count = one.resets}, one.cycles)) {
        one.resets = 0;
        print_note(fmt::format("{}: no resets in {} cycles", one.name, one.cycles));
      }
    }
  }
  if (cases.empty()) {
    throw BadInput(fmt::format("no suite of {} is left to run on {}", options.config, device.name));
  }
  return cases;
}

/// Refuses options that are of other designs.
void check_options(const SimOptions& options) {
  const auto refuse = [](bool given, const char* option, const char* why) {
    if (given) throw BadInput(fmt::format("{}: {}", option, why));
  };
  refuse(options.fabric.has_value(), "--fabric", "is of a MAZE; --noc names a topology");
  refuse(options.node_checkers, "--node-checkers", "is of the MAZE network");
  refuse(options.high_bound.has_value(), "--high-bound", "is of the MAZE network");
  refuse(options.fixed_priority, "--fixed-priority", "is of the MAZE network");
}

sim::NocNames names_of(const sim::NocDevice& device) {
  const noc::Network& network = device.network;
  sim::NocNames names{.topology = device.name,
                      .classes = network.sizes().classes,
                      .lanes = network.sizes().lanes,
                      .slots = network.sizes().slots,
                      .flit_bits = network.sizes().flit_bits,
                      .nodes = cosim::node_names_of(device),
                      .channels = cosim::channel_names_of(device),
                      .stages = {}};
  for (const auto& channel : network.channels()) names.stages.push_back(channel.stages);
  return names;
}

/// Returns what follows a run: the causes of its failures, and waves on the model with them.
FinishedRun finished(sim::NocRegression& run, const sim::NocBins& bins,
                     const cosim::NocDesign& design, const sim::NocNetworkSpec& network,
                     const sim::ModelStore& store, const std::string& model,
                     std::vector<sim::structure::Finding> findings, const SimOptions& options) {
  FinishedRun done{run.result, {}, run.specs.size(), {}, {}, {}};
  done.causes = [&run, &bins, &design, &network, &options, model,
                 findings = std::move(findings)](std::size_t i) {
    const sim::NocCase& one = run.specs[i];
    const auto create = [&one, &bins, library = sim::NocLibrary(model, options.plusargs)] {
      const auto dut = library.create(one.seed);
      sim::require_network(*dut, bins.device().network, library.path());
      return dut;
    };
    const sim::NocRerun rerun{one,
                              bins,
                              create,
                              network,
                              cosim::picture_of(design),
                              options.shrink,
                              common::interrupted,
                              sim::structure::folder_with_dump(model),
                              findings};
    return CaseCause{
        [rerun](const sim::CaseResult& failed) { return sim::diagnose_noc(failed, rerun); },
        rerun_words(options, one.name, one.seed),
        [&options](const std::string& file) { return regression_command(options, file); }};
  };
  if (run.coverage) done.coverage = sim::summary_of(bins, *run.coverage);
  done.open_tracer = [&run, &bins, &store, &options, model] {
    const sim::NocLibrary traced(store.ensure_traced(model, run.result.model_hash),
                                 options.plusargs);
    return CaseTracer{[&run, &bins, traced](std::size_t i, const sim::TraceWindow& window) {
                        sim::trace_noc_case(run.specs[i], run.result.cases[i], bins, traced, window,
                                            common::interrupted);
                      },
                      [&run](const std::string& setup, const std::string& waves,
                             const sim::Failure& shown, const sim::CaseResult& /*result*/) {
                        sim::write_noc_setup(setup, waves, run.result.noc->nodes,
                                             run.result.noc->channels, shown);
                      }};
  };
  return done;
}

/// The files that --watch looks at: what the topology was read from, and the sources of the model.
struct WatchedFiles {
  const sim::ModelStore& store;
  std::vector<std::filesystem::path> topology;  ///< files of the last run that could read them
  std::optional<sim::NocRequest> request;       ///< model of the last run that had one
  bool generated = false;                       ///< its RTL, which the next run writes again

  [[nodiscard]] sim::SourceState state() const {
    sim::SourceState state;
    if (request) state = store.noc_sources(*request);
    if (request && generated) {
      const auto folder = std::filesystem::absolute(request->rtl.filelist).parent_path();
      std::erase_if(state, [&](const auto& file) {
        return std::filesystem::absolute(file.first).parent_path() == folder;
      });
    }
    for (const auto& path : topology) state[path] = sim::content_hash(path).value_or("");
    return state;
  }
};

/// Runs the regression of a network on its model, and writes the reports.
Outcome run_noc(const sim::NocSpec& spec, const cosim::NocDesign& design, WatchedFiles& files,
                const SimOptions& options, const Invocation& invocation) {
  const noc::Network& network = design.device->network;
  const std::vector<NocCase> cases = selected_cases(options, spec, *design.device);
  const WaveOption waves = checked_waves(options, cases.size());
  check_engine(options.parts, invocation, options.job_output());
  require_writable(options.report, kReports);
  if (!options.code_coverage.empty()) common::ensure_directory(options.code_coverage);
  const sim::NocBins bins(*design.device);
  const common::InterruptGuard guard;
  const sim::ModelStore& store = files.store;
  StagedModel staged{options.model};
  if (options.model.empty()) {
    files.request = cosim::noc_request(design, options.rtl, options.models, invocation.root);
    files.request->checkers = !options.no_checkers;
    staged = built_in_stages(noc_stages(*files.request, network, store, options), options);
  }
  if (!staged.library) throw common::Interrupted{};
  const std::string& model = *staged.library;
  print_build_notes(model);
  const sim::NocLibrary library(model, options.plusargs);
  sim::RegressionResult named;
  named.config = options.config;
  named.seed = spec.seed;
  named.dut = "NOC";
  named.noc = names_of(*design.device);
  named.config_hash = hash_of_values(*invocation.command, spec.text);
  named.revision = source_revision();
  named.command = shell_line(invocation.program, invocation.words());
  named.full_coverage = spec.full_coverage && options.suites.empty() && !options.cycles &&
                        !options.seeds && options.fault.empty();
  const auto parts =
      parts_of(options.parts, invocation, options.job_output(),
               options.model.empty() ? TaskValues{{"--model", model}} : TaskValues{});
  // A prebuilt model has no dump of its RTL.
  const bool checked = options.model.empty() && !options.parts.is_task();
  std::optional<sim::CaseResult> structure;
  std::vector<sim::structure::Finding> findings;
  if (checked && !options.no_structure) {
    const sim::structure::ModelStructure found = structure_of(*files.request, network, store);
    const bool shipped = options.rtl.shipped();
    findings = findings_of(found);
    structure = options.watch || staged.structure_shown
                    ? sim::structure::structure_case(found, shipped)
                    : show_structure(found, shipped);
  }
  if (!options.parts.is_task()) remove_reports(options.report, kReports);
  std::uint64_t cycles = 0;
  for (const NocCase& one : cases) cycles += one.alone ? 0 : one.cycles;
  sim::RegressionProgress done(cases.size(), cycles);
  const common::Progress progress([&done] { return done.state(); });
  sim::RunOptions run = run_options(options, parts.get(), done);
  run.command = [&](std::size_t i) { return rerun_command(options, cases[i].name, cases[i].seed); };
  sim::NocRegression regression =
      sim::run_noc_regression(std::move(named), cases, bins, library, run);
  regression.result.structure = "not checked";
  if (checked && regression.result.outcome != Outcome::Interrupted) {
    add_structure(regression.result, std::move(structure));
  }
  return conclude(
      finished(regression, bins, design, spec.network, store, model, std::move(findings), options),
      waves, options, invocation.root);
}

}  // namespace

Outcome simulate_noc(const SimOptions& options, const std::string& text,
                     const Invocation& invocation) {
  check_options(options);
  const auto faults = common::names_of(sim::kNocFaultNames);
  check_fault_name(options.fault, {faults.begin(), faults.end()});
  sim::NocSpec spec = sim::parse_noc_regression(text, options.config);
  if (!options.noc.empty()) spec.network.topology = options.noc;
  if (options.seed) spec.seed = *options.seed;
  for (sim::NocSuiteSpec& suite : spec.suites) {
    if (options.seeds) suite.seeds = *options.seeds;
  }
  if (options.list) {
    const cosim::NocDesign design = chosen_network(spec.network);
    for (const NocCase& one : selected_cases(options, spec, *design.device)) {
      print("{:<32} {:<20} {} cycles, seed {}\n", one.name, one.pattern_name(), one.cycles,
            one.seed);
    }
    return Outcome::Pass;
  }
  const sim::ModelStore store(invocation.root, options.models);
  WatchedFiles files{store, {spec.network.topology}, {}, options.rtl.shipped()};
  const auto run = [&] {
    const common::ReadFiles read;
    const cosim::NocDesign design = chosen_network(spec.network);
    files.topology = read.paths();
    return run_noc(spec, design, files, options, invocation);
  };
  if (!options.watch) return run();
  return watch([&] { return files.state(); }, run);
}

void soak_noc(const SimOptions& options, const std::string& text, const Invocation& invocation,
              Soaked& soaked) {
  check_options(options);
  const auto spec = std::make_shared<sim::NocSpec>(sim::parse_noc_regression(text, options.config));
  if (!options.noc.empty()) spec->network.topology = options.noc;
  require_one_seed(options.config, spec->suites);
  const auto design = std::make_shared<cosim::NocDesign>(chosen_network(spec->network));
  (void)selected_cases(options, *spec, *design->device);  // names what it leaves out
  const sim::ModelStore store(invocation.root, options.models);
  soaked.text = spec->text;
  soaked.seed = spec->seed;
  soaked.model = options.model;
  if (soaked.model.empty()) {
    sim::NocRequest request =
        cosim::noc_request(*design, options.rtl, options.models, invocation.root);
    request.checkers = !options.no_checkers;
    soaked.model = store.ensure_noc(request);
  }
  const sim::NocLibrary library(soaked.model, options.plusargs);
  const auto dut = library.create(spec->seed);
  sim::require_network(*dut, design->device->network, soaked.model);
  soaked.model_hash = dut->info().build_hash;
  sim::NocNames names = names_of(*design->device);
  soaked.topology = names.topology;
  soaked.channels = std::move(names.channels);
  const auto bins = std::make_shared<sim::NocBins>(*design->device);
  const auto cases = [spec, design](std::uint64_t seed) {
    spec->seed = seed;
    std::vector<sim::LeftOut> left_out;  // named above
    return sim::noc_cases(*spec, *design->device, left_out);
  };
  soaked.run = [cases, design, bins, library](std::uint64_t seed, const sim::RunOptions& run) {
    sim::RegressionResult named;
    named.seed = seed;
    return sim::run_noc_regression(std::move(named), cases(seed), *bins, library, run).result;
  };
  soaked.commands = [cases, &options](std::uint64_t seed) {
    std::vector<std::string> commands;
    for (const NocCase& one : cases(seed)) {
      commands.push_back(rerun_command(options, one.name, one.seed));
    }
    return commands;
  };
}

Outcome check_noc_structure(const SimOptions& options, const Invocation& invocation) {
  const common::InterruptGuard guard;
  sim::NocNetworkSpec network = options.routers;
  network.topology = options.noc;
  const cosim::NocDesign design = chosen_network(network);
  const sim::ModelStore store(invocation.root, options.models);
  const sim::NocRequest request =
      cosim::noc_request(design, options.rtl, options.models, invocation.root);
  return show_verdict("structure of " + design.device->name,
                      structure_of(request, design.device->network, store), options.rtl.shipped());
}

}  // namespace kernbench::cli

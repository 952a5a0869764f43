// SPDX-License-Identifier: Apache-2.0
#include "cli/model/cosim_replay.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/base/console.hpp"
#include "cli/rtl/replay_cause.hpp"
#include "cli/rtl/sim_pin_replay.hpp"
#include "cli/rtl/sim_waves.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/report_envelope.hpp"
#include "cosim/run/rtl_flits.hpp"
#include "cosim/workload/reproduction.hpp"
#include "model/fabric/noc/noc_base.hpp"
#include "sim/build/model_store.hpp"
#include "sim/debug/failure_page.hpp"
#include "sim/debug/pin_recorder.hpp"
#include "sim/dut/dut_library.hpp"
#include "sim/noc/noc_diagnosis.hpp"
#include "sim/noc/noc_script.hpp"
#include "sim/report/number_text.hpp"
#include "sim/structure/structure_file.hpp"
#include "sim/wave/gtkwave_setup.hpp"
#include "sim/wave/wave_window.hpp"

namespace kernbench::cli {
namespace {

constexpr std::uint64_t kCyclesBefore = 100;
constexpr std::uint64_t kCyclesAfter = 160;

/// Returns the first failure of a run, on a link if a failure names one, or `cycle` alone.
sim::Failure shown_failure(const cosim::FabricRun& run, std::uint64_t cycle) {
  sim::Failure shown;
  shown.checker = "replay";
  shown.kind = run.reason.empty() ? "passed" : run.reason;
  shown.cycle = cycle;
  if (!run.rtl->failures.empty()) shown = run.rtl->failures.front();
  for (const sim::Failure& failure : run.rtl->failures) {
    if (!shown.link) shown.link = failure.link;
  }
  return shown;
}

std::string_view verdict(const cosim::FabricRun& run, const cosim::Reproduction& reproduction) {
  if (run.reason == reproduction.failure) return "SAME FAILURE";
  return run.outcome == common::Outcome::Pass ? "PASS" : "ANOTHER FAILURE";
}

/// Looks for the cause of a failed run in the pins of its RTL. A fault is one itself.
common::Outcome explain(const cosim::FabricRun& run, const cosim::Reproduction& reproduction,
                        sim::PinTrace pins, const SimOptions& options, const std::string& root,
                        const std::string& model, const sim::ModelStore& store) {
  if (run.outcome == common::Outcome::Pass || reproduction.fault) return common::Outcome::Pass;
  pins.seed = reproduction.stall_seed;
  pins.failed_node = reproduction.sip.maze.failed_node;
  return explain_pins(pins, options, root, model, store);
}

bool has_waves(const WaveOption& waves) {
  return waves.on_failure || waves.window;
}

/// Returns the cycles whose waves are written to `path`: those of --waves, or around a failure.
sim::TraceWindow window_of(const WaveOption& waves, const sim::Failure& failure,
                           const std::string& path) {
  const std::uint64_t first = failure.cycle > kCyclesBefore ? failure.cycle - kCyclesBefore : 0;
  sim::TraceWindow window =
      waves.window.value_or(sim::TraceWindow{"", first, failure.cycle + kCyclesAfter, {}});
  window.path = path;
  window.link = failure.link;
  return window;
}

/// A whole network on which a failure is repeated.
struct ReplayedNetwork {
  std::string model;  ///< path of its library
  std::function<std::string()> build_hash;
  /// Repeats the failure on the library at a path.
  std::function<cosim::FabricRun(const std::string& library, const sim::TraceWindow& trace)> run;
  /// Writes the set-up of GTKWave for waves of a failure.
  std::function<void(const std::string& setup, const std::string& waves, const sim::Failure& shown)>
      write_setup;
};

ReplayedNetwork maze_network(const cosim::Reproduction& reproduction, const SimOptions& options,
                             const sim::ModelStore& store, sim::PinRecorder& pins) {
  const maze::Shape shape = cosim::maze_shape(reproduction.sip);
  ReplayedNetwork network;
  network.model =
      options.model.empty() ? store.ensure_network({.shape = shape, .rtl = {}}) : options.model;
  network.build_hash = [model = network.model] {
    return sim::NetworkLibrary(model).create(0)->info().build_hash;
  };
  network.run = [&](const std::string& path, const sim::TraceWindow& trace) {
    const sim::NetworkLibrary library(path, options.plusargs);
    return cosim::replay(
        reproduction, [&library](std::uint64_t seed) { return library.create(seed); }, trace,
        trace.path.empty() ? &pins : nullptr);
  };
  network.write_setup = [shape](const std::string& setup, const std::string& waves,
                                const sim::Failure& shown) {
    sim::write_network_setup(setup, waves, {shape}, shown);
  };
  return network;
}

using NocBasePtr = std::shared_ptr<const model::fabric::NocBase>;
using NocModelPtr = std::shared_ptr<const cosim::NocModel>;

ReplayedNetwork network_of_routers(const cosim::Reproduction& reproduction,
                                   const SimOptions& options, const std::string& root,
                                   const NocBasePtr& base, const NocModelPtr& model,
                                   sim::NocUserObserver& users) {
  ReplayedNetwork network;
  network.model = model->path;
  network.build_hash = [model] { return model->library.create(0)->info().build_hash; };
  network.run = [&, base, model](const std::string& path, const sim::TraceWindow& trace) {
    const NocModelPtr opened =
        path == model->path
            ? model
            : cosim::open_noc_model(*base, path, options.models, root, options.plusargs);
    return cosim::replay(reproduction, opened, trace, trace.path.empty() ? &users : nullptr);
  };
  network.write_setup = [model](const std::string& setup, const std::string& waves,
                                const sim::Failure& shown) {
    const sim::NocDevice& device = *model->design.device;
    sim::write_noc_setup(setup, waves, cosim::node_names_of(device),
                         cosim::channel_names_of(device), shown);
  };
  return network;
}

/// Looks for the cause of a failed run in what the users of its routers did. A fault is one itself.
common::Outcome explain(const cosim::FabricRun& run, const cosim::Reproduction& reproduction,
                        const sim::NocUserObserver& users, const cosim::NocModel& model,
                        const SimOptions& options) {
  if (run.outcome == common::Outcome::Pass || reproduction.noc_fault) return common::Outcome::Pass;
  const common::InterruptGuard guard;
  sim::NocCase one;
  one.suite = one.name = "replay";
  one.script = std::make_shared<const sim::NocScript>(users.script());
  one.cycles = one.script->events.cycles;
  const auto create = [&] {
    const auto dut = model.library.create(one.seed);
    sim::require_network(*dut, model.design.device->network, model.path);
    return dut;
  };
  sim::CaseResult failed = sim::run_noc_case(one, *model.bins, *create(), {}).result;
  const topology::NocOptions& sizes = model.design.plan.options;
  const sim::NocRerun rerun{.spec = one,
                            .bins = *model.bins,
                            .create = create,
                            .network = {.topology = cosim::zoo_text_of(*reproduction.network),
                                        .lanes = sizes.lanes,
                                        .slots = sizes.slots,
                                        .flit_bits = sizes.flit_bits,
                                        .stages = sizes.stages},
                            .picture = cosim::picture_of(model.design),
                            .shrink_cycles = options.shrink,
                            .interrupted = common::interrupted,
                            .design = sim::structure::folder_with_dump(model.path)};
  const ReplayedDesign design{
      model.design.device->name, "NOC", create()->info().build_hash,
      regression_command(options, folder_of_cause(options) + "/" + sim::kSuiteFile)};
  return explain_replay(std::move(failed), design, options, [&](const sim::CaseResult& again) {
    return std::optional(sim::diagnose_noc(again, rerun));
  });
}

/// Runs a failing replay again with waves around `failure`. Returns the command that opens them.
/// Throws common::BadInput if the model with waves does not fail in the same way.
std::string write_replay_waves(const ReplayedNetwork& network, const sim::ModelStore& store,
                               const sim::Failure& failure, const WaveOption& waves,
                               const SimOptions& options, const std::string& root) {
  const std::string traced = store.ensure_traced(network.model, network.build_hash());
  common::ensure_directory(options.report + "/waves");
  const std::string stem = options.report + "/waves/replay";
  const cosim::FabricRun run = network.run(traced, window_of(waves, failure, stem + ".fst"));
  const std::vector<sim::Failure>& again = run.rtl->failures;
  if (again.empty() || again.front().message != failure.message) {
    throw common::BadInput(
        "the model of the waves, whose flops start with other bits, " +
        (again.empty() ? "passes" : "fails otherwise: " + again.front().message));
  }
  network.write_setup(stem + ".gtkw", stem + ".fst", failure);
  remember_wave(root, stem + ".gtkw");
  return sim::view_command(stem + ".gtkw");
}

/// Repeats a failure of a whole network, and writes its waves. `explained` looks for the cause of a
/// run that failed.
common::Outcome replay_network(
    const ReplayedNetwork& network, const sim::ModelStore& store,
    const cosim::Reproduction& reproduction, const WaveOption& waves, const SimOptions& options,
    const std::string& root,
    const std::function<common::Outcome(const cosim::FabricRun& run)>& explained) {
  const cosim::FabricRun run = network.run(network.model, {});
  print("recorded  {}\n", reproduction.failure);
  print("now       {}\n", run.outcome == common::Outcome::Pass ? "no failure" : run.reason);
  std::fflush(stdout);
  common::Outcome outcome = common::worst(run.outcome, explained(run));
  const std::vector<sim::Failure>& failures = run.rtl->failures;
  if (has_waves(waves) && !failures.empty()) {
    outcome = common::worst(
        outcome, attempt_waves([&] {
          print("waves     {}\n",
                write_replay_waves(network, store, failures.front(), waves, options, root));
        }));
  }
  print("{}  {} cycles, {:.1f} s\n", verdict(run, reproduction), run.clocked->cycles, run.seconds);
  return outcome;
}

}  // namespace

common::Outcome replay_cosimulation(const common::ReportEnvelope& report, const SimOptions& options,
                                    const std::string& root) {
  const cosim::Reproduction reproduction = cosim::reproduction_in(report, options.replay);
  const auto waves = parse_wave_option(options.waves);
  if (!waves) throw common::BadInput(wave_option_error(options.waves));
  if (options.seed) throw common::BadInput("--seed: the file has the seeds of a co-simulation");
  if (options.high_bound || options.fixed_priority) {
    throw common::BadInput(
        "--high-bound and --fixed-priority: the file has the arbiters of a co-simulation");
  }
  const sim::ModelStore store(root, options.models);
  if (reproduction.network) {
    const NocBasePtr base =
        model::fabric::noc_base_of(reproduction.sip.noc_topology, reproduction.sip.noc);
    const NocModelPtr model = cosim::open_noc_model(*base, options.model, options.models, root,
                                                    options.plusargs, options.rtl);
    sim::NocUserObserver users(*model->design.device);
    return replay_network(network_of_routers(reproduction, options, root, base, model, users),
                          store, reproduction, *waves, options, root,
                          [&](const cosim::FabricRun& run) {
                            return explain(run, reproduction, users, *model, options);
                          });
  }
  const maze::Shape shape = cosim::maze_shape(reproduction.sip);
  if (reproduction.nodes == model::fabric::MazeNodeKind::Maze) {
    sim::PinRecorder pins(shape, 1);
    const ReplayedNetwork network = maze_network(reproduction, options, store, pins);
    return replay_network(network, store, reproduction, *waves, options, root,
                          [&](const cosim::FabricRun& run) {
                            return explain(run, reproduction, pins.trace(sim::PinBench::Network),
                                           options, root, network.model, store);
                          });
  }
  const bool traced = has_waves(*waves);
  if (traced) common::ensure_directory(options.report + "/waves");
  print("{}: {} transfers; building the {} first if it is missing\n", options.replay,
        sim::grouped(reproduction.workload.transfers.size()), traced ? "traced model" : "model");
  std::fflush(stdout);
  const sim::DutLibrary library(
      options.model.empty() ? store.ensure({shape, !options.no_checkers, traced, options.rtl})
      : !traced             ? options.model
                            : store.ensure_traced(options.model,
                                                  sim::DutLibrary(options.model).create(0)->info().build_hash),
      options.plusargs);
  const std::string stem = options.report + "/waves/replay";
  const std::uint64_t cycle = reproduction.cycle;
  const auto make_dut = [&](std::uint64_t seed) { return library.create(seed); };
  sim::PinRecorder pins(shape, shape.ports());
  sim::TraceWindow window;
  sim::Failure shown;
  if (traced) {
    // The first run finds the link, which the second one shows.
    shown = shown_failure(cosim::replay(reproduction, make_dut, {}), cycle);
    window = window_of(*waves, shown, stem + ".fst");
  }
  const cosim::FabricRun run = cosim::replay(reproduction, make_dut, window, &pins);
  if (traced) {
    sim::write_gtkwave_setup(stem + ".gtkw", stem + ".fst", shape, shown,
                             reproduction.fault.has_value());
    remember_wave(root, stem + ".gtkw");
  }

  print("recorded  {}\n", reproduction.failure);
  print("now       {}\n", run.outcome == common::Outcome::Pass ? "no failure" : run.reason);
  if (traced) print("waves     {}\n", sim::view_command(stem + ".gtkw"));
  const common::Outcome outcome =
      common::worst(run.outcome, explain(run, reproduction, pins.trace(sim::PinBench::Topo),
                                         options, root, library.path(), store));
  print("{}  {} cycles, {:.1f} s\n", verdict(run, reproduction), run.clocked->cycles, run.seconds);
  return outcome;
}

}  // namespace kernbench::cli

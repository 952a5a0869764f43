// SPDX-License-Identifier: Apache-2.0
#include "cli/model/cosim_replay.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <string>

#include "cli/base/console.hpp"
#include "cli/rtl/sim_pin_replay.hpp"
#include "cli/rtl/sim_waves.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/report_envelope.hpp"
#include "cosim/workload/reproduction.hpp"
#include "sim/build/model_store.hpp"
#include "sim/debug/pin_recorder.hpp"
#include "sim/dut/dut_library.hpp"
#include "sim/report/number_text.hpp"
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

cosim::FabricRun replay_on(const sim::NetworkLibrary& library,
                           const cosim::Reproduction& reproduction, const sim::TraceWindow& trace,
                           sim::Extension* observer = nullptr) {
  return cosim::replay(
      reproduction, [&library](std::uint64_t seed) { return library.create(seed); }, trace,
      observer);
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

/// Runs a failing replay again with waves around `failure`. Returns the command that opens them.
/// Throws common::BadInput if the model with waves does not fail in the same way.
std::string write_replay_waves(const sim::ModelStore& store, const std::string& model,
                               const cosim::Reproduction& reproduction, const sim::Failure& failure,
                               const WaveOption& waves, const SimOptions& options,
                               const std::string& root) {
  const sim::NetworkLibrary traced(
      store.ensure_traced(model, sim::NetworkLibrary(model).create(0)->info().build_hash),
      options.plusargs);
  common::ensure_directory(options.report + "/waves");
  const std::string stem = options.report + "/waves/replay";
  const cosim::FabricRun run =
      replay_on(traced, reproduction, window_of(waves, failure, stem + ".fst"));
  const std::vector<sim::Failure>& again = run.rtl->failures;
  if (again.empty() || again.front().message != failure.message) {
    throw common::BadInput(
        "the model of the waves, whose flops start with other bits, " +
        (again.empty() ? "passes" : "fails otherwise: " + again.front().message));
  }
  sim::write_network_setup(stem + ".gtkw", stem + ".fst", {cosim::maze_shape(reproduction.sip)},
                           failure);
  remember_wave(root, stem + ".gtkw");
  return sim::view_command(stem + ".gtkw");
}

/// Repeats a failure of a whole network, and writes its waves.
common::Outcome replay_network(const cosim::Reproduction& reproduction, const WaveOption& waves,
                               const SimOptions& options, const std::string& root) {
  const sim::ModelStore store(root, options.models);
  const std::string model =
      options.model.empty()
          ? store.ensure_network({.shape = cosim::maze_shape(reproduction.sip), .rtl = {}})
          : options.model;
  sim::PinRecorder pins(cosim::maze_shape(reproduction.sip), 1);
  const cosim::FabricRun run =
      replay_on(sim::NetworkLibrary(model, options.plusargs), reproduction, {}, &pins);
  print("recorded  {}\n", reproduction.failure);
  print("now       {}\n", run.outcome == common::Outcome::Pass ? "no failure" : run.reason);
  std::fflush(stdout);
  common::Outcome outcome = common::worst(
      run.outcome,
      explain(run, reproduction, pins.trace(sim::PinBench::Network), options, root, model, store));
  const std::vector<sim::Failure>& failures = run.rtl->failures;
  if (has_waves(waves) && !failures.empty()) {
    outcome = common::worst(outcome, attempt_waves([&] {
                              print("waves     {}\n",
                                    write_replay_waves(store, model, reproduction, failures.front(),
                                                       waves, options, root));
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
  const maze::Shape shape = cosim::maze_shape(reproduction.sip);
  if (options.high_bound || options.fixed_priority) {
    throw common::BadInput(
        "--high-bound and --fixed-priority: the file has the arbiters of a co-simulation");
  }
  if (reproduction.nodes == model::fabric::MazeNodeKind::Maze) {
    return replay_network(reproduction, *waves, options, root);
  }
  const bool traced = has_waves(*waves);
  if (traced) common::ensure_directory(options.report + "/waves");
  print("{}: {} transfers; building the {} first if it is missing\n", options.replay,
        sim::grouped(reproduction.workload.transfers.size()), traced ? "traced model" : "model");
  std::fflush(stdout);
  const sim::ModelStore store(root, options.models);
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

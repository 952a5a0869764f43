// SPDX-License-Identifier: Apache-2.0
#include "cli/rtl/sim_pin_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "cli/base/console.hpp"
#include "cli/rtl/replay_cause.hpp"
#include "cli/rtl/sim_causes.hpp"
#include "cli/rtl/sim_waves.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "sim/build/model_store.hpp"
#include "sim/dut/dut_library.hpp"
#include "sim/regression/regression_runner.hpp"
#include "sim/replay/pin_case.hpp"
#include "sim/replay/pin_replay.hpp"
#include "sim/report/number_text.hpp"
#include "sim/wave/gtkwave_setup.hpp"
#include "sim/wave/wave_window.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;
using sim::PinRun;
using sim::PinTrace;

// A reset that does not reach every flop may do no harm with one start, but hardly with so many.
constexpr std::uint64_t kStartSeeds = 16;
// Start seeds with which the model with waves is tried until one shows the failure.
constexpr std::uint64_t kTracedSeeds = 64;

/// Returns the RTL of a bench of one chain: its parameters are macros.
sim::RtlRequest rtl_of_primitive(const sim::PinPrimitive& primitive, sim::RtlRequest rtl,
                                 const std::string& root) {
  if (rtl.shipped()) rtl.folder = root + "/rtl";
  const auto define = [&](const char* name, unsigned value) {
    rtl.defines.push_back(fmt::format("KB_PRIMITIVE_{}={}", name, value));
  };
  define("PYLD_W", primitive.payload_bits);
  define("DEPTH", primitive.irs.depth);
  define("NO_READY", primitive.irs.no_ready ? 1 : 0);
  // No ready wins over half: both are set, so that a wrong order of the two shows.
  define("HALF", primitive.irs.half || primitive.irs.no_ready ? 1 : 0);
  define("RO_EN", primitive.irs.ro_en ? 1 : 0);
  return rtl;
}

/// Builds the model of a trace if it is missing. Returns its path.
std::string build_model(const PinTrace& trace, const SimOptions& options, const std::string& root,
                        const sim::ModelStore& store) {
  if (trace.bench == sim::PinBench::Network) {
    sim::NetworkRequest request{.shape = trace.shape, .rtl = options.rtl};
    request.high_bound = options.high_bound.value_or(request.high_bound);
    request.fixed_priority = options.fixed_priority;
    request.checkers = options.node_checkers;
    return store.ensure_network(request);
  }
  if (!trace.primitive) {
    return store.ensure({trace.shape, !options.no_checkers, /*trace=*/false, options.rtl});
  }
  return store.ensure({trace.shape, /*checkers=*/false, /*trace=*/false,
                       rtl_of_primitive(*trace.primitive, options.rtl, root), /*primitive=*/true});
}

std::string bench_text(const PinTrace& trace) {
  if (!trace.primitive) {
    return fmt::format("{} {}x{}x{}",
                       trace.bench == sim::PinBench::Network ? "the network" : "TOPO",
                       trace.shape.nx, trace.shape.ny, trace.shape.flit_w);
  }
  const auto& [bits, irs] = *trace.primitive;
  const char* kind = irs.no_ready ? "IRS_HALF without ready" : irs.half ? "IRS_HALF" : "IRS_LP";
  const std::string stages = irs.depth == 0 ? "wires" : fmt::format("{} {}", irs.depth, kind);
  return fmt::format("IRS_N of {}, {}", stages, sim::counted(bits, "bit"));
}

WaveOption waves_of(const SimOptions& options) {
  const auto waves = parse_wave_option(options.waves);
  if (!waves) throw BadInput(wave_option_error(options.waves));
  return *waves;
}

/// The model of a trace.
struct PinModel {
  std::string build_hash;
  /// Replays the trace with flops that start with the bits of a seed.
  std::function<PinRun(std::uint64_t seed, const sim::TraceWindow& window)> replay;
  /// Runs a script in place of the trace, from the same start.
  std::function<sim::CaseResult(const sim::Script& script, std::uint64_t seed,
                                sim::CaseObserver* observer)>
      run_script;
  maze::NetworkConfig config;  ///< settings of a network
  std::vector<sim::structure::Finding> findings;
};

/// Loads the model `path` of a trace, which must outlive it. Throws common::BadInput if the model
/// has another size.
PinModel open_model(const PinTrace& trace, const std::string& path, const SimOptions& options) {
  const auto open = [&](auto library) {
    const auto info = library.create(0)->info();
    sim::require_shape(info, trace.shape, path);
    PinModel model;
    model.build_hash = info.build_hash;
    model.replay = [library, &trace](std::uint64_t seed, const auto& window) {
      return sim::replay_pins(trace, *library.create(seed), window);
    };
    model.run_script = [library, &trace](const sim::Script& script, std::uint64_t seed,
                                         sim::CaseObserver* observer) {
      return sim::run_script(trace, script, *library.create(seed), observer);
    };
    if constexpr (std::is_same_v<std::decay_t<decltype(info)>, sim::NetworkInfo>) {
      model.config = info.config;
    } else {
      model.config.shape = info.shape;
      model.findings = findings_of(sim::structure::structure_of_model(path, info));
    }
    model.config.failed = trace.failed_node;
    return model;
  };
  if (trace.bench == sim::PinBench::Network) {
    return open(sim::NetworkLibrary(path, options.plusargs));
  }
  return open(sim::DutLibrary(path, options.plusargs));
}

/// The replays of one trace on one model.
class PinReplays {
 public:
  PinReplays(const PinTrace& trace, const SimOptions& options, const std::string& root,
             const std::string& path, const sim::ModelStore& store)
      : trace_(trace),
        options_(options),
        root_(root),
        store_(store),
        path_(path),
        model_(open_model(trace, path, options)),
        first_(options.seed.value_or(trace.seed.value_or(1))),
        seed_(first_) {}

  Outcome run() {
    const WaveOption waves = waves_of(options_);
    print("{}: {} on {}\n", options_.replay, sim::counted(trace_.cycles.size(), "cycle"),
          bench_text(trace_));
    std::fflush(stdout);
    std::uint64_t checks = 0;
    for (; seed_ - first_ < kStartSeeds; ++seed_) {
      if (common::interrupted()) return Outcome::Interrupted;
      run_ = model_.replay(seed_, {});
      checks += run_.checks;
      if (run_.failure) break;
    }
    Outcome outcome = Outcome::Pass;
    if (run_.failure) {
      outcome = Outcome::Mismatch;
      print_failure();
      if (!trace_.primitive) outcome = common::worst(outcome, find_cause());
    } else if (checks == 0) {
      print("FAIL  nothing was compared\n");
      return Outcome::Vacuous;
    } else {
      seed_ = first_;
      print_pass(checks);
    }
    if (run_.failure ? waves.on_failure || waves.window : waves.window.has_value()) {
      std::fflush(stdout);
      outcome = common::worst(outcome, attempt_waves([&] { write_waves(waves); }));
    }
    return outcome;
  }

  /// Looks into the failure as into one of a regression, if the packets of the trace alone show it.
  [[nodiscard]] Outcome find_cause() const;

 private:
  void print_failure() const {
    const sim::Failure& failure = *run_.failure;
    print("FAIL  cycle {}: {}\n", failure.cycle, failure.message);
    if (trace_.fails) {
      print("      the trace says cycle {} (rule '{}'){}\n", trace_.fails->cycle,
            trace_.fails->rule, trace_.fails->cycle == failure.cycle ? "" : ": another cycle");
    } else {
      print("      the trace names no failure\n");
    }
    print("      start seed {}{}\n", seed_,
          seed_ == first_ ? "" : fmt::format("; it passed from {} to {}", first_, seed_ - 1));
  }

  /// Returns the folder with the dump of the design; empty if there is none.
  [[nodiscard]] std::string design_folder() const {
    if (trace_.bench != sim::PinBench::Network) {
      return std::filesystem::path(path_).parent_path().string();
    }
    if (!options_.model.empty()) return {};
    return store_.ensure_network_design(trace_.shape, options_.rtl).folder;
  }

  void print_pass(std::uint64_t checks) const {
    print("PASS  {} start seeds from {}, {}\n", kStartSeeds, first_,
          sim::counted(checks, "comparison"));
    if (!trace_.fails) return;
    print("      the failure of the trace, cycle {} (rule '{}'), does not show on this RTL\n",
          trace_.fails->cycle, trace_.fails->rule);
  }

  /// Runs the last replay again with waves.
  void write_waves(const WaveOption& option) {
    const PinModel traced =
        open_model(trace_, store_.ensure_traced(path_, model_.build_hash), options_);
    common::ensure_directory(options_.report + "/waves");
    const std::string stem = options_.report + "/waves/replay";
    sim::Failure shown = run_.failure.value_or(sim::Failure{"replay", "passed", 0, {}, {}});
    sim::TraceWindow window = option.window.value_or(sim::failure_window(shown.cycle));
    window.path = stem + ".fst";
    if (!trace_.primitive) window.link = shown.link;
    const std::uint64_t seed = same_start(traced);
    const PinRun again = traced.replay(seed, {});
    const PinRun run = traced.replay(seed, window);
    if (run.output_hash != again.output_hash) {
      throw std::logic_error("the replay with waves differs from that without");
    }
    shown.cycle = std::clamp(shown.cycle, window.first, window.last);
    const std::string setup = stem + ".gtkw";
    if (trace_.primitive) {
      sim::write_primitive_setup(setup, window.path, trace_.primitive->payload_bits,
                                 trace_.primitive->irs.depth, shown);
    } else if (trace_.bench == sim::PinBench::Network) {
      sim::write_network_setup(setup, window.path,
                               {.shape = trace_.shape, .failed = trace_.failed_node}, shown);
    } else {
      sim::write_gtkwave_setup(setup, window.path, trace_.shape, shown, false);
    }
    remember_wave(root_, setup);
    print("      view: {}\n", sim::view_command(setup));
  }

  /// Returns a start seed with which the model with waves fails in the same cycle and way. It has
  /// other signals, so that the same seed may start its flops with other values.
  std::uint64_t same_start(const PinModel& traced) const {
    const auto same = [&](const PinRun& run) {
      if (!run_.failure || !run.failure) return run_.failure.has_value() == run.failure.has_value();
      return run.failure->cycle == run_.failure->cycle && run.failure->kind == run_.failure->kind;
    };
    for (std::uint64_t i = 0; i < kTracedSeeds; ++i) {
      if (same(traced.replay(seed_ + i, {}))) return seed_ + i;
    }
    throw BadInput(
        "the failure depends on how the flops start, and the model with waves has not "
        "shown it");
  }

  const PinTrace& trace_;
  const SimOptions& options_;
  const std::string& root_;
  const sim::ModelStore& store_;
  std::string path_;
  PinModel model_;
  std::uint64_t first_;
  std::uint64_t seed_;
  PinRun run_;
};

Outcome PinReplays::find_cause() const {
  const sim::Script script = sim::script_of(trace_);
  sim::CaseRerun rerun;
  rerun.config = model_.config;
  rerun.network = trace_.bench == sim::PinBench::Network;
  rerun.findings = model_.findings;
  rerun.shrink_cycles = options_.shrink;
  rerun.run = [&](sim::CaseObserver& observer) {
    return model_.run_script(script, seed_, &observer);
  };
  sim::CaseResult failed = model_.run_script(script, seed_, nullptr);
  failed.seed = seed_;
  const ReplayedDesign design{
      title_of(fmt::format("{} {}x{}", bench_text(trace_), trace_.shape.nx, trace_.shape.ny),
               trace_.shape, trace_.failed_node),
      bench_text(trace_), model_.build_hash};
  return explain_replay(std::move(failed), design, options_, [&](const sim::CaseResult& one) {
    rerun.design = design_folder();
    return sim::diagnose(one, rerun);
  });
}

}  // namespace

Outcome replay_pin_trace(const PinTrace& trace, const SimOptions& options,
                         const std::string& root) {
  (void)waves_of(options);  // before a build
  if ((options.high_bound || options.fixed_priority) && trace.bench != sim::PinBench::Network) {
    throw BadInput(
        fmt::format("--high-bound and --fixed-priority are of a network: {} is a trace of {}",
                    options.replay, bench_text(trace)));
  }
  if (trace.primitive && !options.model.empty()) {
    throw BadInput("--model: the trace is of a primitive, which has a model of its own");
  }
  const common::InterruptGuard guard;
  const sim::ModelStore store(root, options.models);
  std::string path = options.model;
  if (path.empty()) {
    try {
      path = build_model(trace, options, root, store);
    } catch (const BadInput&) {
      if (common::interrupted()) return Outcome::Interrupted;
      throw;
    }
  }
  return PinReplays(trace, options, root, path, store).run();
}

Outcome explain_pins(const PinTrace& trace, const SimOptions& options, const std::string& root,
                     const std::string& path, const sim::ModelStore& store) {
  return PinReplays(trace, options, root, path, store).find_cause();
}

}  // namespace kernbench::cli

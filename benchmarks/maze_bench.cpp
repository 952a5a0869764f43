// SPDX-License-Identifier: Apache-2.0
// Speed of the verilated TOPO, its reference and the whole harness, as ratios within one run.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include "common/hash.hpp"
#include "common/random.hpp"
#include "cosim_bench.hpp"
#include "maze/plane_bits.hpp"
#include "maze/topo_model.hpp"
#include "ratio_report.hpp"
#include "sim/check/assertions.hpp"
#include "sim/check/lockstep.hpp"
#include "sim/check/output_hash.hpp"
#include "sim/check/scoreboard.hpp"
#include "sim/check/watchdog.hpp"
#include "sim/cover/functional_coverage.hpp"
#include "sim/dut/dut_library.hpp"
#include "sim/harness/harness.hpp"
#include "sim/stimulus/driver.hpp"

namespace kernbench::bench {
namespace {

using maze::Shape;
using maze::TopoInputs;
using maze::TopoModel;
using maze::TopoOutputs;
using namespace sim;  // NOLINT(google-build-using-namespace): a program about nothing else

constexpr Shape kShape{8, 8, 8};
constexpr std::size_t kFrames = 64;
constexpr std::uint64_t kCyclesPerRound = 2000;

/// Returns inputs computed in advance: random packets at `load`, all receivers ready.
std::vector<TopoInputs> make_frames(double load) {
  std::vector<TopoInputs> frames(kFrames, TopoInputs(kShape));
  common::Rng rng = common::Rng::stream(1, "bench", 0);
  const auto threshold = common::probability_threshold(load);
  for (TopoInputs& frame : frames) {
    for (unsigned port = 0; port < kShape.ports(); ++port) {
      for (unsigned node = 0; node < kShape.nodes(); ++node) {
        frame.out_valid.set(port, node, rng.chance(threshold));
        frame.in_ready.set(port, node);
        frame.out_payload.at(port, node) = rng.bits64() >> (64 - kShape.payload_w());
      }
    }
  }
  return frames;
}

std::uint64_t hash_outputs(const TopoOutputs& out, std::uint64_t hash) {
  common::RunHash run;
  run.add(hash);
  for (unsigned port = 0; port < kShape.ports(); ++port) {
    run.add(out.in_valid.port(port)[0]);
    run.add(out.out_ready.port(port)[0]);
    std::uint64_t moved = 0;
    maze::for_each_bit(out.in_valid.port(port)[0], 0, [&](unsigned node) {
      moved += out.in_payload.at(port, node) * (2U * node + 1U);
    });
    run.add(moved);
  }
  return run.value();
}

void count_cycles(benchmark::State& state, std::uint64_t cycles) {
  state.counters["cycles/s"] =
      benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
}

/// Times the verilated model alone: inputs are applied, outputs hashed.
void bare_model(benchmark::State& state, const DutLibrary& library, double load) {
  const std::vector<TopoInputs> frames = make_frames(load);
  const std::shared_ptr<MazeDut> dut = library.create(1);
  TopoOutputs out(kShape);
  const auto cycle = [&](const TopoInputs& in) {
    dut->drive(in);
    dut->settle();
    dut->sample(out);
    dut->clock_edge();
  };
  dut->set_reset(true);
  cycle(TopoInputs(kShape));
  dut->set_reset(false);
  std::uint64_t hash = 0;
  std::uint64_t n = 0;
  for (auto _ : state) {
    for (std::uint64_t i = 0; i < kCyclesPerRound; ++i) {
      cycle(frames[n++ % kFrames]);
      hash = hash_outputs(out, hash);
    }
  }
  benchmark::DoNotOptimize(hash);
  count_cycles(state, n);
}

/// Times the reference alone: inputs are applied, outputs read.
void reference_model(benchmark::State& state, double load) {
  const std::vector<TopoInputs> frames = make_frames(load);
  TopoModel model(kShape);
  TopoOutputs out(kShape);
  std::uint64_t hash = 0;
  std::uint64_t n = 0;
  for (auto _ : state) {
    for (std::uint64_t i = 0; i < kCyclesPerRound; ++i) {
      const TopoInputs& in = frames[n++ % kFrames];
      model.evaluate(in, out);
      model.clock(in);
      hash = hash_outputs(out, hash);
    }
  }
  benchmark::DoNotOptimize(hash);
  count_cycles(state, n);
}

/// Times drive, observation, scoreboard, lockstep, watchdog and functional coverage on all links.
void full_harness(benchmark::State& state, const DutLibrary& library, double load) {
  const topology::MazeLinks links(kShape.nx, kShape.ny);
  TrafficSpec traffic;
  traffic.load = load;
  traffic.payload = PayloadMode::Raw;
  std::uint64_t cycles = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const std::shared_ptr<MazeDut> dut = library.create(1);
    Driver driver(kShape, links, traffic, {}, 1);
    Harness harness(*dut, driver);
    Lockstep lockstep(kShape, links);
    Scoreboard scoreboard(kShape, links);
    Watchdog watchdog(links, 1000);
    Assertions assertions(*dut, links);
    OutputHash hash(kShape);
    FunctionalCoverage coverage(kShape, links, BackPressure::None, &lockstep.reference(), 0);
    harness.add(lockstep);
    harness.add(scoreboard);
    harness.add(watchdog);
    harness.add(assertions);
    harness.add(hash);
    harness.add(coverage);
    RunPlan plan;
    plan.cycles = kCyclesPerRound * 4;
    state.ResumeTiming();
    const RunEnd end = harness.run(plan);
    if (end.reason != StopReason::Drained) state.SkipWithError("the run did not pass");
    cycles += end.cycles;
  }
  count_cycles(state, cycles);
}

void add(const std::string& name, std::function<void(benchmark::State&)> run) {
  benchmark::RegisterBenchmark(name.c_str(), std::move(run))
      ->Unit(benchmark::kMillisecond)
      ->Repetitions(9)
      ->MinTime(0.2)
      ->ReportAggregatesOnly(true);
}

/// Loads the model named by an environment variable. Without it, the model's benchmarks are
/// omitted.
std::shared_ptr<DutLibrary> model_from(const char* variable) {
  const char* path = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): no threads
  if (path == nullptr) return nullptr;
  return std::make_shared<DutLibrary>(DutLibrary(path));
}

/// Adds the benchmarks of the node model over the cycle reference and over the RTL.
void add_fabrics(const std::shared_ptr<DutLibrary>& bare,
                 const std::shared_ptr<DutLibrary>& checked) {
  for (const double load : {0.05, 0.1, 0.3, 0.5, 0.7, 0.9}) {
    const auto fabric = [&](const std::string& name, const std::shared_ptr<DutLibrary>& library) {
      add(fmt::format("{}/{:.2f}", name, load),
          [=](auto& state) { fabric_under_load(state, library, load); });
    };
    fabric("cycle", nullptr);
    if (bare) fabric("rtl", bare);
    if (checked && load == 0.9) fabric("rtl_with_checkers", checked);
  }
  // The activity of the links at 0.9 packets per node and cycle: 1.75 hops over 14 links.
  if (bare) add("harness/0.9", [=](auto& state) { full_harness(state, *bare, 0.9 * 1.75 / 14); });
  for (const bool every_cycle : {false, true}) {
    const std::string at = every_cycle ? "/every_cycle" : "/skipping";
    add("idle_cycle" + at, [=](auto& state) { fabric_mostly_idle(state, nullptr, every_cycle); });
    if (bare) {
      add("idle_rtl" + at, [=](auto& state) { fabric_mostly_idle(state, bare, every_cycle); });
    }
  }
}

void add_all() {
  const auto bare = model_from("KERNBENCH_BARE_MODEL");
  const auto baseline = model_from("KERNBENCH_BASELINE_MODEL");
  const auto checked = model_from("KERNBENCH_CHECKED_MODEL");
  for (const double load : {1.0, 0.1}) {
    const std::string at = load == 1.0 ? "/saturated" : "/load_10%";
    const auto model = [&](const std::string& name, const std::shared_ptr<DutLibrary>& library) {
      if (library) add(name + at, [=](auto& state) { bare_model(state, *library, load); });
    };
    const auto harness = [&](const std::string& name, const std::shared_ptr<DutLibrary>& library) {
      if (library) add(name + at, [=](auto& state) { full_harness(state, *library, load); });
    };
    model("baseline", baseline);
    model("bare", bare);
    model("bare_with_checkers", checked);
    harness("harness", bare);
    harness("harness_with_checkers", checked);
    add("reference" + at, [=](auto& state) { reference_model(state, load); });
  }
  add_fabrics(bare, checked);
}

const std::vector<Ratio> kRatios = {
    {"shipped RTL to straightforward RTL, saturated", "bare/saturated", "baseline/saturated", 1.8},
    {"shipped RTL to straightforward RTL, 10 % load", "bare/load_10%", "baseline/load_10%", 0},
    {"full harness to bare model, saturated", "harness/saturated", "bare/saturated", 0.5},
    {"full harness to bare model, 10 % load", "harness/load_10%", "bare/load_10%", 0.7},
    {"reference to bare model, saturated", "reference/saturated", "bare/saturated", 4},
    {"reference to bare model, 10 % load", "reference/load_10%", "bare/load_10%", 15},
    {"bound checkers: bare model with to without, saturated", "bare_with_checkers/saturated",
     "bare/saturated", 0},
    {"bound checkers: full harness with to without, saturated", "harness_with_checkers/saturated",
     "harness/saturated", 0},
    {"bound checkers: full harness with to without, 10 % load", "harness_with_checkers/load_10%",
     "harness/load_10%", 0},
    {"cycle fabric to bare model, 0.9", "cycle/0.90", "bare/load_10%", 1.5},
    {"RTL fabric to bare model, 0.9", "rtl/0.90", "bare/load_10%", 0.3},
    {"cycle fabric to RTL fabric, 0.9", "cycle/0.90", "rtl/0.90", 4},
    {"cycle fabric to RTL fabric, 0.05", "cycle/0.05", "rtl/0.05", 15},
    {"RTL fabric to full harness at equal activity, 0.9", "rtl/0.90", "harness/0.9", 0.5},
    {"idle cycles skipped to stepped, cycle fabric", "idle_cycle/skipping",
     "idle_cycle/every_cycle", 20},
    {"idle cycles skipped to stepped, RTL fabric", "idle_rtl/skipping", "idle_rtl/every_cycle", 20},
    {"bound checkers: RTL fabric with to without, 0.9", "rtl_with_checkers/0.90", "rtl/0.90", 0},
};

}  // namespace
}  // namespace kernbench::bench

int main(int argc, char** argv) {
  kernbench::bench::add_all();
  return kernbench::bench::run_benchmarks(argc, argv, kernbench::bench::kRatios);
}

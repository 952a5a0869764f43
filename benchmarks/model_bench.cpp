// SPDX-License-Identifier: Apache-2.0
// Speed of flits in the transaction-level model. All PEs of SIPs of 16 cubes stream from HBM slices
// of other cubes at once, in one simulation. `make bench BENCH=model` prints the tables and fails
// if the bar is missed or if run time does not grow linearly with bytes or SIPs. Memory is the peak
// of the process, so the loads run from small to large. Bars refer to CPU time, as other programs
// share the machine.
//
//   model_bench             measures
//   model_bench count KIB   streams KIB to each PE for scripts/count-instructions.sh
#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>
#include <vector>

#include "model/components/machine/machine.hpp"
#include "model/components/machine/pe_command.hpp"
#include "model/components/parts/pe_cpu.hpp"
#include "model/engine/simulation.hpp"
#include "topology/graph/compile.hpp"
#include "topology/mesh/cube_mesh.hpp"
#include "topology/routing/path_router.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::bench {
namespace {

using model::components::Machine;
using model::components::PeCommand;
using topology::PhysAddr;

constexpr int kRepetitions = 5;
constexpr double kBar = 5e6;        // flit-hops per second
constexpr double kLinearity = 1.5;  // largest growth of run time per doubling, relative to twice
constexpr std::uint64_t kKiB = 1024;

struct System {
  topology::TopologyGraph graph;
  topology::PathRouter router;

  explicit System(std::uint32_t sips) : graph(compiled(sips)), router(graph) {}
  static topology::TopologyGraph compiled(std::uint32_t sips) {
    topology::TopologySpec spec;
    spec.system.sips = sips;
    return compile_topology(spec);
  }
};

struct Measured {
  double wall_seconds = 0;
  double seconds = 0;  ///< CPU time
  std::uint64_t flit_hops = 0;
  std::size_t records = 0;

  [[nodiscard]] double rate() const { return static_cast<double>(flit_hops) / seconds; }
};

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Lets every PE read `bytes` from the slice of the same number in the cube five places further on.
Measured stream(const System& system, std::uint64_t bytes, bool traced) {
  const topology::TopologySpec& spec = system.graph.spec();
  model::engine::Simulation simulation;
  model::trace::HopTrace trace;
  Machine machine(simulation, system.graph, {traced ? &trace : nullptr, &system.router});
  std::deque<PeCommand> commands;
  for (std::uint32_t sip = 0; sip < spec.system.sips; ++sip) {
    for (std::uint32_t cube = 0; cube < spec.sip.cubes(); ++cube) {
      for (std::uint32_t pe = 0; pe < spec.cube.pes(); ++pe) {
        const auto remote = static_cast<std::uint8_t>((cube + 5) % spec.sip.cubes());
        const std::uint64_t address = encode(PhysAddr::hbm(static_cast<std::uint8_t>(sip), remote,
                                                           pe * spec.cube.hbm_bytes_of_pe()));
        PeCommand& command =
            commands.emplace_back("stream", model::components::dma_work(false, address, bytes));
        const topology::NodeId cpu =
            machine.resolver().find_pe_part(sip, cube, pe, topology::NodeKind::PeCpu);
        machine.component_as<model::components::PeCpu>(cpu).start(command);
      }
    }
  }
  const auto start = std::chrono::steady_clock::now();
  const double cpu_start = cpu_seconds();
  simulation.run();
  Measured measured;
  measured.seconds = cpu_seconds() - cpu_start;
  measured.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  measured.flit_hops = machine.network().flit_hops();
  measured.records = trace.records().size();
  return measured;
}

double peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

struct Load {
  std::uint32_t sips = 1;
  std::uint64_t kib = 1024;
  bool traced = false;
};

/// Measures a load several times; returns the run with the median time and prints its table line.
Measured measure(const Load& load) {
  const System system(load.sips);
  std::vector<Measured> runs;
  runs.reserve(kRepetitions);
  for (int i = 0; i < kRepetitions; ++i) {
    runs.push_back(stream(system, load.kib * kKiB, load.traced));
  }
  std::sort(runs.begin(), runs.end(),
            [](const Measured& a, const Measured& b) { return a.seconds < b.seconds; });
  const Measured& median = runs[runs.size() / 2];
  fmt::print("{:>4} {:>8} {:>7} {:>13} {:>9.3f} {:>9.3f} {:>10.2f} {:>9.0f}\n", load.sips, load.kib,
             load.traced ? "yes" : "no", median.flit_hops, median.wall_seconds, median.seconds,
             median.rate() / 1e6, peak_mb());
  std::fflush(stdout);
  return median;
}

/// Returns true if the run time of each step is about twice that of the previous one.
bool is_linear(const std::string& in, const std::vector<Measured>& doublings) {
  bool linear = true;
  for (std::size_t i = 1; i < doublings.size(); ++i) {
    const double growth = doublings[i].seconds / doublings[i - 1].seconds / 2.0;
    const bool met = growth <= kLinearity && growth >= 1.0 / kLinearity;
    fmt::print("    twice the {}: {:.2f} times the time; twice within {:.1f} x: {}\n", in,
               2.0 * growth, kLinearity, met ? "met" : "MISSED");
    linear &= met;
  }
  return linear;
}

bool run() {
  fmt::print("{:>4} {:>8} {:>7} {:>13} {:>9} {:>9} {:>10} {:>9}\n", "SIPs", "KiB a PE", "traced",
             "flit-hops", "wall s", "CPU s", "million/s", "peak MB");
  const std::vector<Measured> by_bytes = {measure({1, 256, false}), measure({1, 512, false}),
                                          measure({1, 1024, false}), measure({1, 2048, false})};
  const Measured& standard = by_bytes[2];
  const Measured traced = measure({1, 1024, true});
  const std::vector<Measured> by_sips = {standard, measure({2, 1024, false}),
                                         measure({4, 1024, false})};

  const bool fast = standard.rate() >= kBar;
  fmt::print("\n    1 MiB a PE of one SIP: {:.2f} million flit-hops/s; bar {:.0f}: {}\n",
             standard.rate() / 1e6, kBar / 1e6, fast ? "met" : "MISSED");
  fmt::print("    with a trace of {} records: {:.2f} times the time\n", traced.records,
             traced.seconds / standard.seconds);
  const bool linear_in_bytes = is_linear("bytes", by_bytes);
  const bool linear_in_sips = is_linear("SIPs", by_sips);
  return fast && linear_in_bytes && linear_in_sips;
}

}  // namespace
}  // namespace kernbench::bench

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "count") {
    const kernbench::bench::System system(1);
    (void)kernbench::bench::stream(system, std::stoull(argv[2]) * kernbench::bench::kKiB, false);
    return 0;
  }
  return kernbench::bench::run() ? 0 : 1;
}

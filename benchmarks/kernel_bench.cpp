// What a tl call costs on the host beyond the events that it causes: the same commands are given to
// a PE by a coroutine and, through tl, by a kernel on a fiber, in turns. Processor time of the best
// of some rounds is compared. Exit code 1 when a bar is missed.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/components/machine.hpp"
#include "model/components/pe_cpu.hpp"
#include "model/data/recorder.hpp"
#include "model/engine/fiber.hpp"
#include "model/engine/occurrence.hpp"
#include "model/kernel/commands.hpp"
#include "model/kernel/pe_executor.hpp"
#include "model/kernel/tl.hpp"
#include "topology/graph/compile.hpp"
#include "topology/mesh/cube_mesh.hpp"

namespace kernbench::bench {
namespace {

using namespace model;  // NOLINT(google-build-using-namespace): a program about nothing else
using components::MathOp;
using components::PeCommand;
using data::DataType;
using kernel::Tile;
using kernel::Tl;

constexpr int kCalls = 20'000;
constexpr int kRounds = 9;
constexpr double kCallBar = 50.0;       // ns
constexpr double kRoundTripBar = 40.0;  // ns

/// Of this thread, in nanoseconds: others on the computer do not count.
double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

double fiber_round_trip() {
  constexpr int kTrips = 1'000'000;
  engine::Event never("never");
  engine::Fiber fiber([&](engine::Fiber& self) {
    for (;;) self.wait(never);
  });
  (void)fiber.resume();
  const double begin = processor_time();
  for (int i = 0; i < kTrips; ++i) (void)fiber.resume();
  return (processor_time() - begin) / kTrips;
}

/// An operation, as a command and as a call.
struct Case {
  std::string name;
  std::function<PeCommand::Work()> command;
  std::function<void(Tl&, const Tile&)> call;
};

engine::Process give_commands(components::PeCpu& cpu, const Case& subject) {
  for (int i = 0; i < kCalls; ++i) {
    PeCommand command(subject.name, subject.command());
    cpu.start(command);
    co_await command.done;
  }
}

/// Nanoseconds a call on a fresh machine.
double time_of(const topology::TopologyGraph& graph, const Case& subject, bool through_tl) {
  data::Recorder recorder;
  engine::Simulation simulation;
  components::MachineOptions options;
  options.stages = &recorder;
  components::Machine machine(simulation, graph, options);
  auto& cpu =
      machine.component_as<components::PeCpu>(machine.pe_part({}, topology::NodeKind::PeCpu));
  memory::PeAllocator allocator(graph.spec(), {});
  kernel::Activity activity;
  const std::shared_ptr<const void> nothing;
  double took = 0.0;
  if (through_tl) {
    simulation.spawn("kernel", engine::run_on_fiber([&](engine::Fiber& fiber) {
                       const components::KernelContext context{{}, cpu, nothing};
                       kernel::PeExecutor executor(machine, context, {}, allocator, recorder, fiber,
                                                   activity);
                       Tl tl(executor);
                       const Tile tile = tl.full(16, 16, 1.0, DataType::F32);
                       const double begin = processor_time();
                       for (int i = 0; i < kCalls; ++i) subject.call(tl, tile);
                       took = processor_time() - begin;
                     }));
    simulation.run();
  } else {
    simulation.spawn("kernel", give_commands(cpu, subject));
    const double begin = processor_time();
    simulation.run();
    took = processor_time() - begin;
  }
  return took / kCalls;
}

bool print(const std::string& what, double ns, double bar) {
  const bool met = ns < bar;
  fmt::print("    {:<36} {:>8.1f} ns   bar {:.0f} ns: {}\n", what, ns, bar, met ? "met" : "MISSED");
  return met;
}

bool run() {
  const topology::TopologySpec spec;
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  constexpr std::uint64_t kBytes = std::uint64_t{16} * 16 * 4;
  const kernel::TensorRef block = Tl::ref(0, 16, 16, DataType::F32);
  const std::vector<Case> cases = {
      {"full", [] { return kernel::math_command(0, MathOp::Fill, 256, kBytes); },
       [](Tl& tl, const Tile&) { (void)tl.full(16, 16, 1.0, DataType::F32); }},
      {"add", [] { return kernel::math_command(2 * kBytes, MathOp::Add, 256, kBytes); },
       [](Tl& tl, const Tile& x) { (void)tl.add(x, x); }},
      {"dot", [] { return kernel::gemm_command(2 * kBytes, 4096, kBytes); },
       [](Tl& tl, const Tile& x) { (void)tl.dot(x, x); }},
      {"load", [&] { return kernel::dma_command(false, block); },
       [&](Tl& tl, const Tile&) { (void)tl.load(block); }},
      {"store", [&] { return kernel::dma_command(true, block); },
       [&](Tl& tl, const Tile& x) { tl.store(block, x); }},
  };
  double round_trip = std::numeric_limits<double>::max();
  for (int round = 0; round < kRounds; ++round) {
    round_trip = std::min(round_trip, fiber_round_trip());
  }
  bool met = print("a fiber's round trip", round_trip, kRoundTripBar);
  for (const Case& subject : cases) {
    double commands = std::numeric_limits<double>::max();
    double calls = commands;
    for (int round = 0; round < kRounds; ++round) {
      commands = std::min(commands, time_of(graph, subject, false));
      calls = std::min(calls, time_of(graph, subject, true));
    }
    fmt::print("tl.{}: {:.0f} ns a call, {:.0f} ns of them the command's events\n", subject.name,
               calls, commands);
    met &= print("beyond these", calls - commands, kCallBar);
  }
  return met;
}

}  // namespace
}  // namespace kernbench::bench

int main() {
  try {
    return kernbench::bench::run() ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 5;
  }
}

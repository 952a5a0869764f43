// SPDX-License-Identifier: Apache-2.0
// Measures the host time of a tl call beyond the events that it causes. A coroutine and, through
// tl, a kernel on a fiber give the same commands to a PE. The result is the median over rounds of
// the difference in processor time: the speed of the computer varies less within a round than
// between rounds. Exits with 1 if a bar is missed.
//
//   kernel_bench                                    measures
//   kernel_bench count calls|commands OPERATION N   repeats an operation N times for
//                                                   scripts/count-instructions.sh
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/components/machine/machine.hpp"
#include "model/components/parts/pe_cpu.hpp"
#include "model/data/recorder.hpp"
#include "model/engine/fiber.hpp"
#include "model/engine/occurrence.hpp"
#include "model/kernel/commands.hpp"
#include "model/kernel/pe_executor.hpp"
#include "model/kernel/tl.hpp"
#include "topology/graph/compile.hpp"
#include "topology/mesh/cube_mesh.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::bench {
namespace {

using namespace model;  // NOLINT(google-build-using-namespace): a program about nothing else
using components::MathOp;
using components::PeCommand;
using data::DataType;
using kernel::Tile;
using kernel::Tl;

constexpr int kWarmUp = 200;
constexpr int kCalls = 2'000;           // calls per measurement
constexpr int kRounds = 101;            // odd, so that the median is one of them
constexpr double kCallBar = 50.0;       // ns
constexpr double kRoundTripBar = 40.0;  // ns

/// Returns the processor time of this thread in nanoseconds, unaffected by other programs.
double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

double fiber_round_trip() {
  constexpr int kTrips = 100'000;
  engine::Event never("never");
  engine::Fiber fiber([&](engine::Fiber& self) {
    for (;;) self.wait(never);
  });
  (void)fiber.resume();
  const double begin = processor_time();
  for (int i = 0; i < kTrips; ++i) (void)fiber.resume();
  return (processor_time() - begin) / kTrips;
}

/// An operation in two forms, as a command and as a call. Both are compiled into the measuring
/// loops, as in kernels.
template <typename Command, typename Call>
struct Case {
  const char* name;
  Command command;  ///< sets the work of a command
  Call call;        ///< makes the call, with a Tl and a tile
};
template <typename Command, typename Call>
Case(const char*, Command, Call) -> Case<Command, Call>;

/// Gives `calls` commands after a warm-up, which finds routes and allocates memory, and sets `took`
/// to their processor time. If `again`, describes every command again.
template <typename Command, typename Call>
engine::Process give_commands(components::PeCpu& cpu, const Case<Command, Call>& subject,
                              bool again, int calls, double& took) {
  PeCommand command;
  subject.command(command);
  for (int i = 0; i < kWarmUp + calls; ++i) {
    if (i == kWarmUp) took = -processor_time();
    command.renew(subject.name);
    if (again) subject.command(command);
    cpu.start(command);
    co_await command.done;
  }
  took += processor_time();
}

template <typename Command, typename Call>
void call(Tl& tl, const Case<Command, Call>& subject, int calls, double& took) {
  const Tile tile = tl.full(16, 16, 1.0, DataType::F32);
  for (int i = 0; i < kWarmUp + calls; ++i) {
    if (i == kWarmUp) took = -processor_time();
    subject.call(tl, tile);
  }
  took += processor_time();
}

/// How the commands are given.
enum class Way { OneCommand, Commands, Calls, LoggedCalls };

/// Returns the nanoseconds per call on a new machine.
template <typename Command, typename Call>
double time_of(const topology::TopologyGraph& graph, const Case<Command, Call>& subject, Way way,
               int calls = kCalls) {
  using Keeps = data::Recorder::Keeps;
  data::Recorder recorder(way == Way::LoggedCalls ? Keeps::Operations : Keeps::Stages);
  engine::Simulation simulation;
  components::MachineOptions options;
  options.stages = &recorder;
  components::Machine machine(simulation, graph, options);
  auto& cpu =
      machine.component_as<components::PeCpu>(machine.pe_part({}, topology::NodeKind::PeCpu));
  memory::PeAllocator allocator(graph.spec(), {});
  kernel::Activity activity;
  double took = 0.0;
  if (way == Way::Calls || way == Way::LoggedCalls) {
    simulation.spawn("kernel", engine::run_on_fiber([&](engine::Fiber& fiber) {
                       const components::KernelContext context{{}, cpu};
                       kernel::PeExecutor executor(machine, context, {}, allocator, recorder, fiber,
                                                   activity);
                       Tl tl(executor);
                       call(tl, subject, calls, took);
                     }));
  } else {
    simulation.spawn("kernel", give_commands(cpu, subject, way == Way::Commands, calls, took));
  }
  simulation.run();
  return took / calls;
}

double median(std::vector<double> of) {
  std::sort(of.begin(), of.end());
  return of[of.size() / 2];
}

bool print(const std::string& what, double ns, double bar) {
  const bool met = ns < bar;
  fmt::print("    {:<36} {:>8.1f} ns   bar {:.0f} ns: {}\n", what, ns, bar, met ? "met" : "MISSED");
  return met;
}

template <typename Command, typename Call>
bool measure(const topology::TopologyGraph& graph, const Case<Command, Call>& subject) {
  std::vector<double> commands;
  std::vector<double> descriptions;
  std::vector<double> beyond;
  std::vector<double> logged;
  for (int round = 0; round < kRounds; ++round) {
    const double bare = time_of(graph, subject, Way::Commands);
    commands.push_back(bare);
    descriptions.push_back(bare - time_of(graph, subject, Way::OneCommand));
    beyond.push_back(time_of(graph, subject, Way::Calls) - bare);
    logged.push_back(time_of(graph, subject, Way::LoggedCalls) - bare);
  }
  fmt::print(
      "tl.{}: {:.0f} ns of a call are the command's events, {:.0f} of them its description; {:.0f} "
      "ns more with the log\n",
      subject.name, median(commands), median(descriptions), median(logged) - median(beyond));
  return print("beyond these", median(beyond), kCallBar);
}

/// Calls `visit` with each case.
template <typename Visit>
void visit_cases(Visit visit) {
  constexpr std::uint64_t kBytes = std::uint64_t{16} * 16 * 4;
  const kernel::TensorRef block = Tl::ref(0, 16, 16, DataType::F32);
  visit(Case{"full", [](PeCommand& to) { kernel::set_math(to, 0, MathOp::Fill, 256, kBytes); },
             [](Tl& tl, const Tile&) { (void)tl.full(16, 16, 1.0, DataType::F32); }});
  visit(Case{"add",
             [](PeCommand& to) { kernel::set_math(to, 2 * kBytes, MathOp::Add, 256, kBytes); },
             [](Tl& tl, const Tile& x) { (void)tl.add(x, x); }});
  visit(Case{"dot", [](PeCommand& to) { kernel::set_gemm(to, 2 * kBytes, 4096, kBytes); },
             [](Tl& tl, const Tile& x) { (void)tl.dot(x, x); }});
  visit(Case{"load", [&](PeCommand& to) { kernel::set_dma(to, false, block); },
             [&](Tl& tl, const Tile&) { (void)tl.load(block); }});
  visit(Case{"store", [&](PeCommand& to) { kernel::set_dma(to, true, block); },
             [&](Tl& tl, const Tile& x) { tl.store(block, x); }});
}

bool run() {
  const topology::TopologyGraph graph = topology::compile_topology(topology::TopologySpec());
  std::vector<double> round_trips;
  round_trips.reserve(9);
  for (int round = 0; round < 9; ++round) round_trips.push_back(fiber_round_trip());
  bool met = print("a fiber's round trip", median(round_trips), kRoundTripBar);
  visit_cases([&](const auto& subject) { met &= measure(graph, subject); });
  return met;
}

/// Makes `calls` calls of the case `name`, or gives its command as often, without measuring.
void make_calls(const std::string& way, const std::string& name, int calls) {
  const topology::TopologyGraph graph = topology::compile_topology(topology::TopologySpec());
  visit_cases([&](const auto& subject) {
    if (subject.name == name) {
      (void)time_of(graph, subject, way == "calls" ? Way::Calls : Way::Commands, calls);
    }
  });
}

}  // namespace
}  // namespace kernbench::bench

int main(int argc, char** argv) {
  try {
    if (argc == 5 && std::string(argv[1]) == "count") {
      kernbench::bench::make_calls(argv[2], argv[3], std::stoi(argv[4]));
      return 0;
    }
    return kernbench::bench::run() ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 5;
  }
}

// SPDX-License-Identifier: Apache-2.0
// Compares the engine's speed with SystemC and SimPy on the same workloads. The programs run
// interleaved, and medians are compared. Exits with 1 if a bar is missed.
//
//   engine_bench SYSTEMC_PROGRAM SIMPY_SCRIPT   measures
//   engine_bench count WORKLOAD EVENTS          runs EVENTS events for
//                                               scripts/count-instructions.sh
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine_peers/delays.hpp"
#include "model/engine/occurrence.hpp"
#include "model/engine/resource.hpp"
#include "model/engine/simulation.hpp"

namespace kernbench::bench {
namespace {

using common::SimTime;
using namespace model::engine;  // NOLINT(google-build-using-namespace): a program about nothing
                                // else

constexpr std::uint64_t kEvents = 5'000'000;
constexpr std::uint64_t kSimpyEvents = 500'000;  // the rate does not depend on the number of events
constexpr int kRounds = 5;

Process delayer(Simulation& sim, const DelayTable& delays, std::uint64_t id, std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) co_await sim.delay(SimTime::from_ps(delays.at(id, i)));
}

Process contender(Simulation& sim, Resource& resource, std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) {
    const Lease lease = co_await resource.acquire();
    co_await sim.delay(SimTime::from_ps(5));
  }
}

Process idle(Event& event) {
  co_await event;
}

/// Returns events per second: delays, or uses of the resource.
double engine_rate(const std::string& workload, std::uint64_t events = kEvents) {
  Simulation sim;
  Resource resource(sim, "resource", 1);
  const DelayTable delays(workload == "spread");
  if (workload == "resource") {
    for (unsigned i = 0; i < kContenders; ++i) {
      sim.spawn("contender", contender(sim, resource, events / kContenders));
    }
  } else {
    for (unsigned i = 0; i < kProcesses; ++i) {
      sim.spawn("delayer", delayer(sim, delays, i, events / kProcesses));
    }
  }
  sim.run_until(SimTime());
  const auto start = std::chrono::steady_clock::now();
  sim.run();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return static_cast<double>(events) / elapsed.count();
}

double peer_rate(const std::string& program, const std::string& workload, std::uint64_t events) {
  const std::string command =
      fmt::format("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 {} {} {}", program, workload, events);
  std::FILE* output = popen(command.c_str(), "r");  // NOLINT(cert-env33-c): the Makefile's command
  if (output == nullptr) throw std::runtime_error(fmt::format("cannot run {}", command));
  double rate = 0.0;
  const int fields = std::fscanf(output, "%lf", &rate);  // NOLINT(cert-err34-c): checked below
  if (pclose(output) != 0 || fields != 1 || !(rate > 0.0)) {
    throw std::runtime_error(fmt::format("command failed: {}", command));
  }
  return rate;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Returns the heap bytes of a process that waits for an event.
double idle_process_bytes() {
  constexpr std::size_t kIdle = 100'000;
  Event never("never");
  Simulation sim;
  const std::size_t before = mallinfo2().uordblks;
  for (std::size_t i = 0; i < kIdle; ++i) sim.spawn("a process with a name", idle(never));
  sim.run_until(SimTime());
  return static_cast<double>(mallinfo2().uordblks - before) / kIdle;
}

/// Prints a ratio and returns true if it reaches the bar; a bar of 0 is always met.
bool print_ratio(const std::string& what, double ratio, double bar) {
  const bool met = ratio >= bar;
  fmt::print("    {:<20} {:>8.1f} x   {}\n", what, ratio,
             bar == 0.0 ? "" : fmt::format("bar {:.0f} x: {}", bar, met ? "met" : "MISSED"));
  return met;
}

bool run(const std::string& systemc, const std::string& simpy) {
  struct Workload {
    std::string name;
    std::string title;
    double systemc_bar;
    double simpy_bar;
  };
  bool met = true;
  for (const Workload& workload :
       {Workload{"short", "1,000 processes, delays of 1 to 16 ps", 5.0, 40.0},
        Workload{"spread", "1,000 processes, delays log-uniform from 1 ps to 1 us", 5.0, 40.0},
        Workload{"resource", "64 contenders for a resource of one unit", 10.0, 0.0}}) {
    std::vector<double> ours;
    std::vector<double> systemc_rates;
    std::vector<double> simpy_rates;
    for (int round = 0; round < kRounds; ++round) {
      ours.push_back(engine_rate(workload.name));
      systemc_rates.push_back(peer_rate(systemc, workload.name, kEvents));
      simpy_rates.push_back(peer_rate(simpy, workload.name, kSimpyEvents));
    }
    fmt::print("{}, million events/s:\n    engine {:.2f}, SystemC threads {:.2f}, SimPy {:.3f}\n",
               workload.title, median(ours) / 1e6, median(systemc_rates) / 1e6,
               median(simpy_rates) / 1e6);
    met &= print_ratio("to SystemC threads", median(ours) / median(systemc_rates),
                       workload.systemc_bar);
    met &= print_ratio("to SimPy", median(ours) / median(simpy_rates), workload.simpy_bar);
  }
  const double bytes = idle_process_bytes();
  fmt::print("an idle process: {:.0f} bytes; bar 1024: {}\n", bytes,
             bytes < 1024.0 ? "met" : "MISSED");
  return met && bytes < 1024.0;
}

}  // namespace
}  // namespace kernbench::bench

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "count") {
    (void)kernbench::bench::engine_rate(argv[2], std::stoull(argv[3]));
    return 0;
  }
  if (argc != 3) {
    fmt::print(stderr, "usage: engine_bench SYSTEMC_PROGRAM SIMPY_SCRIPT\n");
    return 2;
  }
  try {
    return kernbench::bench::run(argv[1], argv[2]) ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 5;
  }
}

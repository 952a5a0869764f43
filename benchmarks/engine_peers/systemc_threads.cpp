// SPDX-License-Identifier: Apache-2.0
// The workloads of engine_bench in SystemC threads. Prints events per second.
//
//   systemc_threads short|spread|resource EVENTS
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <systemc>
#include <vector>

#include "delays.hpp"

namespace {

using kernbench::bench::DelayTable;
using kernbench::bench::kContenders;
using kernbench::bench::kProcesses;

struct Delayer : sc_core::sc_module {
  SC_HAS_PROCESS(Delayer);
  Delayer(const sc_core::sc_module_name& name, const DelayTable& table, std::uint64_t number,
          std::uint64_t count)
      : sc_module(name), delays(table), id(number), steps(count) {
    SC_THREAD(run);
  }
  void run() {
    for (std::uint64_t i = 0; i < steps; ++i) {
      wait(static_cast<double>(delays.at(id, i)), sc_core::SC_PS);
    }
  }
  const DelayTable& delays;
  std::uint64_t id;
  std::uint64_t steps;
};

struct Contender : sc_core::sc_module {
  SC_HAS_PROCESS(Contender);
  Contender(const sc_core::sc_module_name& name, sc_core::sc_semaphore& shared, std::uint64_t count)
      : sc_module(name), resource(shared), steps(count) {
    SC_THREAD(run);
  }
  void run() {
    for (std::uint64_t i = 0; i < steps; ++i) {
      resource.wait();
      wait(5, sc_core::SC_PS);
      resource.post();
    }
  }
  sc_core::sc_semaphore& resource;
  std::uint64_t steps;
};

}  // namespace

int sc_main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::uint64_t events = std::strtoull(argv[2], nullptr, 10);
  sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
  sc_core::sc_semaphore resource("resource", 1);
  const DelayTable delays(std::strcmp(argv[1], "spread") == 0);
  std::vector<std::unique_ptr<sc_core::sc_module>> modules;
  if (std::strcmp(argv[1], "resource") == 0) {
    for (unsigned i = 0; i < kContenders; ++i) {
      modules.push_back(std::make_unique<Contender>(sc_core::sc_gen_unique_name("contender"),
                                                    resource, events / kContenders));
    }
  } else {
    for (unsigned i = 0; i < kProcesses; ++i) {
      modules.push_back(std::make_unique<Delayer>(sc_core::sc_gen_unique_name("delayer"), delays, i,
                                                  events / kProcesses));
    }
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const auto start = std::chrono::steady_clock::now();
  sc_core::sc_start();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::printf("%.0f\n", static_cast<double>(events) / elapsed.count());
  return 0;
}

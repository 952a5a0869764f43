// SPDX-License-Identifier: Apache-2.0
// The C++ side of python_run.py: loads a topology, then runs the bench vector-add as often as each
// line of standard input says, and answers with the processor time in milliseconds.
//
//   python_peer TOPOLOGY CCL
#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <iostream>

#include "model/bench/runner.hpp"
#include "topology/resolve/resolve_topology.hpp"

int main(int argc, char** argv) {
  using namespace kernbench;  // NOLINT(google-build-using-namespace): a program about nothing else
  if (argc != 3) return 2;
  const topology::ResolvedTopology resolved = topology::resolve_topology(argv[1], {});
  model::bench::RunOptions options;
  options.parameters = {{"rows", "64"}, {"columns", "64"}};
  options.ccl.name = argv[2];
  const auto processor_ms = [] {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
  };
  for (int runs = 0; std::cin >> runs;) {
    const double begin = processor_ms();
    for (int i = 0; i < runs; ++i) {
      (void)run_bench(model::bench::find_bench("vector-add"), resolved.graph, options);
    }
    fmt::print("{}\n", processor_ms() - begin);
    std::fflush(stdout);
  }
}

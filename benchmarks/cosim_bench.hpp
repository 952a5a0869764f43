#pragma once

#include <benchmark/benchmark.h>

#include <memory>

#include "sim/dut/dut_library.hpp"

namespace kernbench::bench {

/// Uniform random traffic between all 64 nodes at `load` packets per node and cycle, over the links
/// of `library` with all checkers, or over the cycle reference if that is null. Node model,
/// packetising and reassembly included. Counts simulated cycles a second.
void fabric_under_load(benchmark::State& state, const std::shared_ptr<sim::DutLibrary>& library,
                       double load);

/// A burst of packets in every thousand cycles and nothing between, over the same. `every_cycle`
/// steps those in which there is nothing to do, too.
void fabric_mostly_idle(benchmark::State& state, const std::shared_ptr<sim::DutLibrary>& library,
                        bool every_cycle);

}  // namespace kernbench::bench

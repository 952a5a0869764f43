// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

#include <memory>

#include "sim/dut/dut_library.hpp"

namespace kernbench::bench {

/// Times uniform random traffic between all 64 nodes at `load` packets per node and cycle. It runs
/// over the links of `library` with all checkers, or over the cycle reference if `library` is null,
/// and includes node model, packetising and reassembly. Counts simulated cycles per second.
void fabric_under_load(benchmark::State& state, const std::shared_ptr<sim::DutLibrary>& library,
                       double load);

/// Times a burst of packets in every thousand cycles, over the same links. If `every_cycle`, idle
/// cycles are stepped instead of skipped.
void fabric_mostly_idle(benchmark::State& state, const std::shared_ptr<sim::DutLibrary>& library,
                        bool every_cycle);

}  // namespace kernbench::bench

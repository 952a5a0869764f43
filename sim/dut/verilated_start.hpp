// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <cstdint>
#include <memory>
#include <mutex>

namespace kernbench::sim {

/// Returns a verilated top, evaluated once, whose flops start with random bits drawn from `seed`.
template <class Top>
std::unique_ptr<Top> start_verilated(VerilatedContext& context, std::uint64_t seed) {
  // Verilator keeps one random state a thread, which a randSeed() in any thread resets. So only one
  // model at a time draws its initial values.
  static std::mutex initial_values;
  const std::scoped_lock lock(initial_values);
  context.randReset(2);
  // Verilator takes 0 for a request to draw a seed from the system.
  context.randSeed(static_cast<int>((seed + 1) * 0x9e3779b97f4a7c15U >> 33U) | 1);
  auto top = std::make_unique<Top>(&context);
  top->clk_i = 0;
  top->rst_ni = 1;
  top->eval();
  return top;
}

}  // namespace kernbench::sim

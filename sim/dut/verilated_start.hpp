// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/dut/verilated_messages.hpp"

namespace kernbench::sim {

/// Returns a verilated top, evaluated once, whose flops start with random bits drawn from `seed`.
/// `plusargs` are NAME or NAME=VALUE, without the plus sign.
template <class Top>
std::unique_ptr<Top> start_verilated(VerilatedContext& context, std::uint64_t seed,
                                     const std::vector<std::string>& plusargs,
                                     RtlMessages& messages) {
  std::vector<std::string> words = {"model"};
  for (const std::string& plusarg : plusargs) words.push_back("+" + plusarg);
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  context.commandArgs(static_cast<int>(arguments.size()), arguments.data());
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
  using Root = std::remove_cv_t<std::remove_pointer_t<decltype(top->rootp)>>;
  auto& trigger = top->rootp->__VstlTriggered;
  std::memset(static_cast<void*>(&trigger), 0, sizeof(trigger));
  messages.begin_start(&is_settling<Root>, top->rootp);
  messages.evaluate(context, 0, [&] { top->eval(); });
  messages.end_start();
  return top;
}

}  // namespace kernbench::sim

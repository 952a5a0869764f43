// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "maze/irs_model.hpp"

namespace kernbench::tests {

using maze::IrsInputs;
using maze::IrsOutputs;
using maze::IrsParams;
using maze::Payload;

enum class IrsKind { kWires, kSkid, kHalf, kHalfNoReady };

/// One instance of tb/irs_bench_top.sv.
struct IrsInstance {
  std::string name;
  unsigned width = 0;
  IrsParams params;

  [[nodiscard]] IrsKind kind() const;
  /// Packets that it holds when stalled (a stage without ready holds one but may lose it).
  [[nodiscard]] unsigned capacity() const;
  [[nodiscard]] Payload mask() const { return ~Payload{0} >> (64 - width); }
};

/// The verilated tb/irs_bench_top.sv, with its own VerilatedContext.
///
/// A cycle is drive() for every instance, settle(), observe(), edge(). Flops start with random
/// bits. The constructor resets them and sets all inputs to 0.
class IrsBench {
 public:
  explicit IrsBench(std::uint64_t power_on_seed = 1);
  ~IrsBench();
  IrsBench(const IrsBench&) = delete;
  IrsBench& operator=(const IrsBench&) = delete;

  [[nodiscard]] const std::vector<IrsInstance>& instances() const { return instances_; }
  [[nodiscard]] std::size_t size() const { return instances_.size(); }

  void drive(std::size_t instance, const IrsInputs& inputs);
  /// Evaluates the driven inputs with the clock still high.
  void settle_high();
  /// Evaluates the driven inputs after the falling edge.
  void settle();
  [[nodiscard]] IrsOutputs observe(std::size_t instance) const;
  /// Executes the rising edge.
  void edge();
  /// Sets the reset. Takes effect at once, with the clock high or low.
  void set_reset(bool asserted);

 private:
  struct Verilated;

  std::unique_ptr<Verilated> verilated_;
  std::vector<IrsInstance> instances_;
};

}  // namespace kernbench::tests

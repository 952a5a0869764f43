// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "maze/link_frame.hpp"
#include "sim/dut/dut.hpp"

namespace kernbench::sim {

/// Sits between a fabric's pins and everything that drives and observes them, and may change what
/// passes. A CycleRunner calls it in every cycle outside reset.
class Tap {
 public:
  /// The inputs of one cycle, valid until the next one.
  struct Inputs {
    const maze::TopoInputs* driven;  ///< inputs shown to the observers
    const maze::TopoInputs* pins;    ///< inputs of the fabric
  };

  Tap() = default;
  Tap(const Tap&) = delete;
  Tap& operator=(const Tap&) = delete;
  virtual ~Tap() = default;

  /// Called before the fabric settles; may change `intended` itself.
  virtual Inputs drive(std::uint64_t cycle, maze::TopoInputs& intended) = 0;
  /// Called after the fabric has settled; changes the outputs that the observers see.
  virtual void observe(std::uint64_t cycle, maze::TopoOutputs& outputs) = 0;
  /// Called after observe() if the DUT shows its links; changes what the observers see of them.
  virtual void observe_links(std::uint64_t /*cycle*/, LinkSignals& /*signals*/) {}
};

}  // namespace kernbench::sim

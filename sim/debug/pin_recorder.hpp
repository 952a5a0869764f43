// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/harness/extension.hpp"
#include "sim/stimulus/pin_trace.hpp"

namespace kernbench::sim {

/// Writes down the pins of a run, cycle by cycle.
class PinRecorder final : public Extension {
 public:
  /// `ports` are those of a node: 1 for the users of a network.
  PinRecorder(const maze::Shape& shape, unsigned ports) : shape_(shape), ports_(ports) {}

  void on_cycle(const CycleView& view) override;

  /// Returns false if a reset began or ended within a cycle, which a trace cannot have.
  [[nodiscard]] bool exact() const { return exact_; }
  /// Returns the cycles so far. Receivers that were always ready are left out.
  [[nodiscard]] PinTrace trace(PinBench bench) const;

 private:
  struct Cycle {
    bool reset = false;
    std::vector<PinOffer> offers;
    std::vector<PinPort> stalled;
  };
  maze::Shape shape_;
  unsigned ports_;
  bool exact_ = true;
  std::vector<Cycle> cycles_;
};

}  // namespace kernbench::sim

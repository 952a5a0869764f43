// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "noc/network_model.hpp"
#include "sim/dut/noc_dut.hpp"
#include "sim/harness/cycle_view.hpp"

namespace kernbench::sim {

/// Returns the first signal of a link that is not as expected: "valid", "vc", "flit" or "credit".
/// Returns null if all are.
[[nodiscard]] const char* wrong_signal(const NocOutputs& seen, const NocOutputs& expected,
                                       std::size_t link);

/// The reference of a network beside its RTL, cycle by cycle.
class NocReference {
 public:
  /// `network` must outlive the object.
  explicit NocReference(const noc::Network& network);

  /// Returns what the nodes are to drive in this cycle.
  const NocOutputs& expect(const CycleView& view);
  /// Applies the edge that ends the cycle. Users that got a credit too many from the network may
  /// send a flit that has no slot in the reference: it ends with that, and this returns the error.
  std::string clock(const CycleView& view);
  /// Returns true once the reference has ended: it expects nothing any more.
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  /// Returns the model. After clock() it has been clocked, except in reset.
  [[nodiscard]] const noc::NetworkModel& model() const { return model_; }

 private:
  noc::NetworkModel model_;
  NocOutputs expected_;
  bool has_ended_ = false;
};

}  // namespace kernbench::sim

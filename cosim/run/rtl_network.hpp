// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/fabric/clocked/link_entries.hpp"
#include "model/fabric/clocked/packet_network.hpp"
#include "sim/check/checker_set.hpp"
#include "sim/failure.hpp"
#include "sim/network/checked_network.hpp"

namespace kernbench::cosim {

/// A verilated MAZE network with the checks of `kernbench sim --network` on it. The constructor
/// executes the reset; every step is one cycle.
class RtlNetwork final : public model::fabric::PacketNetwork {
 public:
  static constexpr std::uint64_t kResetCycles = 4;

  /// With `trace` the model, which has to be built with waves, writes them.
  RtlNetwork(std::shared_ptr<sim::NetworkDut> dut, std::optional<unsigned> failed,
             const std::optional<sim::NetworkTrace>& trace);

  [[nodiscard]] const maze::NetworkConfig& config() const override { return network_.config(); }
  /// Throws model::fabric::FabricFailure in the cycle in which a check fails.
  void step(model::fabric::Edge edge, const maze::NetworkInputs& inputs,
            maze::NetworkOutputs& outputs) override;
  [[nodiscard]] std::uint64_t entered(unsigned node, unsigned port) const override {
    return entries_.at(node, port);
  }

  /// Ends the RTL, whose final blocks may report a failure. Must be called once, after the last
  /// step.
  void finish();
  [[nodiscard]] const std::string& build_hash() const { return network_.info().build_hash; }
  [[nodiscard]] std::vector<sim::CheckerResult> checkers() const;
  [[nodiscard]] const std::vector<sim::Failure>& failures() const { return failures_; }
  [[nodiscard]] const sim::NetworkFailure& failure() const { return network_.failure(); }
  [[nodiscard]] const sim::NetworkCoverage& coverage() const { return network_.coverage(); }

 private:
  sim::CheckedNetwork network_;
  model::fabric::LinkEntries entries_;
  std::vector<sim::Failure> failures_;
};

}  // namespace kernbench::cosim

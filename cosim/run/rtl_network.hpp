// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "cosim/run/rtl_bench.hpp"
#include "model/fabric/clocked/link_entries.hpp"
#include "model/fabric/clocked/packet_network.hpp"
#include "sim/check/assertions.hpp"
#include "sim/dut/network_dut.hpp"
#include "sim/network/network_collector.hpp"
#include "sim/network/network_lockstep.hpp"
#include "sim/network/network_scoreboard.hpp"

namespace kernbench::cosim {

/// A verilated MAZE network with lockstep, scoreboard, checkers of the nodes and functional
/// coverage of `kernbench sim` of a network. The constructor executes the reset; every step is one
/// cycle.
class RtlNetwork final : public model::fabric::PacketNetwork {
 public:
  /// With a path in `trace` the model, which has to be built with waves, writes them. `observer`,
  /// unless null, sees every cycle, behind the checkers.
  RtlNetwork(const std::shared_ptr<sim::NetworkDut>& dut, std::optional<unsigned> failed,
             const sim::TraceWindow& trace, sim::Extension* observer);

  [[nodiscard]] const maze::NetworkConfig& config() const override {
    return lockstep_.reference().config();
  }
  /// Throws model::fabric::FabricFailure in the cycle in which a check fails.
  void step(model::fabric::Edge edge, const maze::NetworkInputs& inputs,
            maze::NetworkOutputs& outputs) override;
  void finish(model::fabric::Edge edge) override { bench_.require_passed(edge); }
  [[nodiscard]] std::uint64_t entered(unsigned node, unsigned port) const override {
    return entries_.at(node, port);
  }

  [[nodiscard]] RtlBench& bench() { return bench_; }
  [[nodiscard]] const sim::NetworkCoverage& coverage() const { return collector_.coverage(); }

 private:
  RtlBench bench_;
  sim::NetworkLockstep lockstep_;
  sim::NetworkScoreboard scoreboard_;
  sim::Assertions assertions_;
  sim::NetworkCollector collector_;
  std::optional<sim::NodeWatch> watch_;
  model::fabric::LinkEntries entries_;
};

}  // namespace kernbench::cosim

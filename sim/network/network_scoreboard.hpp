// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "maze/network_frame.hpp"
#include "maze/packet_layout.hpp"
#include "sim/harness/extension.hpp"
#include "sim/network/delivery_oracle.hpp"
#include "sim/regression/user_traffic.hpp"

namespace kernbench::sim {

/// Checks every delivery at B against the oracle, and after the last cycle that nothing is owed.
/// Counts packets at A, copies at B and their latencies. Kinds: delivery, loss.
class NetworkScoreboard final : public Extension {
 public:
  explicit NetworkScoreboard(const maze::NetworkConfig& config)
      : user_port_(config.shape.ports()),
        layout_(config.shape),
        oracle_(config),
        traffic_(config.shape) {}

  void on_cycle(const CycleView& view) override;
  void after(const RunEnd& end) override;
  /// Deliveries.
  [[nodiscard]] std::uint64_t checks() const override { return deliveries_; }
  [[nodiscard]] const DeliveryOracle& oracle() const { return oracle_; }
  /// The traffic without that of the links.
  [[nodiscard]] const UserTraffic& traffic() const { return traffic_; }

 private:
  void deliver(std::uint64_t cycle, unsigned node, maze::Payload packet);

  unsigned user_port_;
  maze::PacketLayout layout_;
  DeliveryOracle oracle_;
  UserTraffic traffic_;
  std::uint64_t deliveries_ = 0;
  bool in_reset_ = false;
};

/// Checks that a packet that is the only one in the network takes its exact time. Kinds: latency,
/// overlap.
class LoneLatency final : public Extension {
 public:
  LoneLatency(const maze::Shape& shape, const DeliveryOracle& oracle)
      : shape_(shape), oracle_(oracle) {}

  /// Must be shown each cycle before the scoreboard whose oracle it has.
  void on_cycle(const CycleView& view) override;
  /// Deliveries.
  [[nodiscard]] std::uint64_t checks() const override { return deliveries_; }

 private:
  maze::Shape shape_;
  const DeliveryOracle& oracle_;
  unsigned source_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t deliveries_ = 0;
};

/// Returns the cycles that a packet that meets no other takes from A of one node to B of another: 2
/// for each node, and the stages of the links between (MAZE network, requirement 3).
[[nodiscard]] unsigned lone_latency(const maze::Shape& shape, unsigned from, unsigned to);

}  // namespace kernbench::sim

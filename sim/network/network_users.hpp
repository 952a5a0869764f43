// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/random.hpp"
#include "maze/packet_layout.hpp"
#include "sim/network/delivery_oracle.hpp"
#include "sim/network/network_case.hpp"
#include "sim/stimulus/back_pressure.hpp"
#include "sim/stimulus/destinations.hpp"
#include "sim/stimulus/link_runs.hpp"
#include "sim/stimulus/ready_in_reset.hpp"
#include "sim/stimulus/stimulus.hpp"

namespace kernbench::sim {

/// The users of a network: what they offer at A, and when they are ready at B. They draw from the
/// case's seed only.
class NetworkUsers final : public Stimulus {
 public:
  NetworkUsers(const maze::NetworkConfig& config, const NetworkCase& one);

  void drive(std::uint64_t cycle, Phase phase, const maze::BitPlane& source_fired,
             maze::TopoInputs& inputs) override;
  [[nodiscard]] bool exhausted() const override { return false; }

 private:
  struct Node {
    std::uint32_t burst = 0;   ///< packets left in this burst
    std::uint32_t length = 0;  ///< packets of the next burst, 0 if not drawn yet
  };

  void offer(unsigned node, maze::TopoInputs& inputs);
  [[nodiscard]] maze::Payload draw(unsigned node);
  [[nodiscard]] unsigned draw_target(unsigned node);

  maze::NetworkConfig config_;
  NetworkCase case_;
  maze::PacketLayout layout_;
  common::Rng traffic_;
  std::optional<LinkRuns> active_;  ///< users that may offer; absent with IdleTimes::Load
  BackPressureGenerator receivers_;
  ReadyInReset ready_in_reset_;
  maze::BitPlane every_;
  std::vector<Node> nodes_;
  std::vector<unsigned> targets_;  ///< targets of a permutation, by source
  NodeDestinations destinations_;  ///< destinations of NetworkPattern::Kind, by source
  unsigned hotspot_ = 0;
  std::uint64_t cycle_ = 0;  ///< cycles outside reset
};

/// Sends one packet of each source, type and target, each into an empty network.
class LoneUsers final : public Stimulus {
 public:
  /// `oracle` names the nodes that a packet reaches.
  LoneUsers(const maze::Shape& shape, const DeliveryOracle& oracle)
      : shape_(shape), oracle_(oracle), layout_(shape) {}

  void drive(std::uint64_t cycle, Phase phase, const maze::BitPlane& source_fired,
             maze::TopoInputs& inputs) override;
  [[nodiscard]] bool exhausted() const override { return type_ == 4 && wait_ == 0; }

 private:
  /// Moves on to the next packet.
  void step();
  /// Returns true if the type does not name a coordinate of the target other than the source's.
  [[nodiscard]] bool is_repeated() const;

  maze::Shape shape_;
  const DeliveryOracle& oracle_;
  maze::PacketLayout layout_;
  unsigned type_ = 0, source_ = 0, target_ = 0;  ///< fields of the next packet
  unsigned wait_ = 0;                            ///< cycles before it
};

}  // namespace kernbench::sim

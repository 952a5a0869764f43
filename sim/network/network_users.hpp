// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "common/random.hpp"
#include "maze/packet_layout.hpp"
#include "sim/network/network_case.hpp"
#include "sim/stimulus/destinations.hpp"

namespace kernbench::sim {

/// The users of a network: what they offer at A, and when they are ready at B. They draw from the
/// case's seed only, and hold a refused packet.
class NetworkUsers {
 public:
  NetworkUsers(const maze::NetworkConfig& config, const NetworkCase& one);

  /// Returns the inputs of the next cycle. While `offers` is false no new packet is offered and all
  /// receivers are ready.
  const maze::NetworkInputs& next(bool offers);
  /// Tells which A accepted their packet in this cycle.
  void accepted(const std::vector<std::uint64_t>& ready);
  /// Withdraws all packets: the network is reset.
  void withdraw();
  /// Returns true while a packet is offered.
  [[nodiscard]] bool is_offering() const;

 private:
  struct Node {
    std::uint32_t burst = 0;   ///< packets left in this burst
    std::uint32_t length = 0;  ///< packets of the next burst, 0 if not drawn yet
    std::uint32_t stall = 0;   ///< cycles left in this phase of the receiver
    bool ready = true;
  };

  void offer(unsigned node);
  [[nodiscard]] maze::Payload draw(unsigned node);
  [[nodiscard]] unsigned draw_target(unsigned node);
  void receive();

  maze::NetworkConfig config_;
  NetworkCase case_;
  maze::PacketLayout layout_;
  common::Rng traffic_;
  common::Rng receivers_;
  maze::NetworkInputs inputs_;
  std::vector<Node> nodes_;
  std::vector<unsigned> targets_;  ///< targets of a permutation, by source
  NodeDestinations destinations_;  ///< destinations of NetworkPattern::Kind, by source
  unsigned hotspot_ = 0;
  std::uint64_t cycle_ = 0;
};

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "maze/network_frame.hpp"
#include "model/fabric/clocked/cycle_maze.hpp"
#include "model/fabric/clocked/packet_network.hpp"

namespace kernbench::model::fabric {

/// A MAZE whose nodes are those that are built (DESIGN section 6), over the network's reference or
/// its RTL. A source offers its next packet at port A, high QoS first, and holds it until it is
/// accepted. Port B delivers a packet in a cycle.
class NetworkMaze final : public CycleMaze {
 public:
  /// Throws std::invalid_argument for an order other than XY.
  NetworkMaze(std::unique_ptr<PacketNetwork> network, const MazeSettings& settings);

  void finish(Edge edge) override { network_->finish(edge); }
  [[nodiscard]] std::uint64_t entered(unsigned node, unsigned port) const override {
    return network_->entered(node, port);
  }

 private:
  void wake(unsigned node) override { awake_[node / 64] |= std::uint64_t{1} << (node % 64); }
  bool move(Edge edge) override;
  [[nodiscard]] std::string held_packets() const override;

  void offer();
  void receive();
  bool deliver(Edge edge);
  bool accept_offers(Edge edge);

  std::unique_ptr<PacketNetwork> network_;
  maze::NetworkInputs inputs_;
  maze::NetworkOutputs outputs_;
  std::vector<std::uint64_t> awake_;  ///< nodes that may have a packet to offer, a bit for each
  std::vector<Slot> offered_;         ///< transfer whose packet a node offers, where it offers one
};

}  // namespace kernbench::model::fabric

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "maze/network_frame.hpp"
#include "maze/packet_layout.hpp"
#include "sim/failure.hpp"

namespace kernbench::sim {

/// Knows which B owes which packets, and no routes: requirements 2.1 to 2.5 and 2.7. Each copy of a
/// packet arrives once, unchanged, at a node that the packet names; packets of one source, type and
/// QoS level arrive at a node in the order of their acceptance.
class DeliveryOracle {
 public:
  explicit DeliveryOracle(const maze::NetworkConfig& config);

  /// Returns the nodes that owe a copy of a packet, in ascending order. A node that has failed owes
  /// none.
  [[nodiscard]] std::vector<unsigned> named(maze::Payload packet) const;

  /// Records a handshake at A of `node`.
  void accept(std::uint64_t cycle, unsigned node, maze::Payload packet);
  /// Checks a handshake at B of `node`. Returns what is wrong with it, empty when nothing is.
  [[nodiscard]] std::string deliver(std::uint64_t cycle, unsigned node, maze::Payload packet);
  /// Forgets all packets: the network was reset.
  void forget();

  [[nodiscard]] std::uint64_t accepted() const { return accepted_; }
  [[nodiscard]] std::uint64_t delivered() const { return delivered_; }
  /// Returns the copies that are owed.
  [[nodiscard]] std::uint64_t owed() const { return owed_; }
  /// Returns a copy that is owed, as a failure at the node that owes it; without a message when
  /// none is.
  [[nodiscard]] Failure owed_example() const;
  /// Returns the cycles from A to B of the last delivery.
  [[nodiscard]] std::uint64_t last_latency() const { return last_latency_; }

 private:
  struct Copy {
    std::uint64_t accepted = 0;
    maze::Payload packet = 0;
  };
  /// The copies of one source, type and level that one node owes, in order.
  struct Stream {
    std::vector<Copy> copies;
    std::size_t first = 0;
  };

  [[nodiscard]] Stream& stream(unsigned source, unsigned node, maze::Payload packet) {
    const unsigned kind = layout_.type(packet) << 1U | layout_.qos(packet);
    return streams_[(std::size_t{source} * shape_.nodes() + node) * 8 + kind];
  }
  [[nodiscard]] maze::Payload kept(maze::Payload packet) const;

  maze::NetworkConfig config_;
  maze::Shape shape_;
  maze::PacketLayout layout_;
  unsigned x_mask_;
  std::vector<Stream> streams_;
  std::uint64_t accepted_ = 0;
  std::uint64_t delivered_ = 0;
  std::uint64_t owed_ = 0;
  std::uint64_t last_latency_ = 0;
};

}  // namespace kernbench::sim

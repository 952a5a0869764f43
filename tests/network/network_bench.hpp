// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Vnetwork_frame.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maze/network_model.hpp"

namespace kernbench::network_test {

inline constexpr unsigned kNx = 4;
inline constexpr unsigned kNy = 3;
inline constexpr unsigned kNodes = kNx * kNy;

/// Types of packets: how many nodes a target names.
enum class Type : std::uint8_t { Unicast, Column, Row, Broadcast };

/// Returns the address {y, x} of a node, 3 bits each.
[[nodiscard]] constexpr unsigned address_of(unsigned node) {
  return (node / kNx) << 3U | (node % kNx);
}

/// A packet of 8 data bits.
struct Packet {
  Type type = Type::Unicast;
  bool high = false;  ///< QoS level
  unsigned source = 0;
  unsigned target = 0;  ///< node
  unsigned data = 0;

  /// Returns {type, qos, src, tgt, data}.
  [[nodiscard]] unsigned bits() const {
    return static_cast<unsigned>(type) << 21U | (high ? 1U : 0U) << 20U |
           address_of(source) << 14U | address_of(target) << 8U | data;
  }
  /// Returns the bits that arrive unchanged: all but those of the target that it does not name.
  [[nodiscard]] static unsigned kept(unsigned bits);
  /// Returns the nodes that the packet names.
  [[nodiscard]] std::vector<unsigned> named() const;
};

/// The verilated network of kNx x kNy nodes, with ports A and B of all nodes. All ports of all
/// nodes are compared with the C++ model in every cycle.
class Network {
 public:
  /// Resets the network. `failed` is the node without a clock.
  explicit Network(std::uint64_t seed, std::optional<unsigned> failed = {});

  /// Offers a packet at A of a node until withdraw().
  void offer(unsigned node, unsigned bits);
  void withdraw(unsigned node);
  /// Sets which B are ready, a bit for each node.
  void set_ready(std::uint32_t nodes) {
    top_.b_rdy = static_cast<SData>(nodes);
    settled_ = false;
  }

  /// Return what is seen before the next clock edge: ready of A, and the packet at B.
  [[nodiscard]] bool accepts(unsigned node);
  [[nodiscard]] std::optional<unsigned> delivers(unsigned node);

  void clock();

  /// Returns the first difference from the C++ model, such as "cycle 7: out_vld of node 3 port 2 is
  /// 1, not 0"; empty while there is none.
  [[nodiscard]] const std::string& difference() const { return difference_; }
  /// Changes the C++ model's state, so that a difference is seen.
  void forget_packets() { twin_.reset(); }

 private:
  void compare();
  void expect(const char* signal, unsigned node, unsigned port, std::uint64_t seen,
              std::uint64_t expected);
  /// Evaluates what depends on the inputs, if they have changed.
  void settle();

  VerilatedContext context_;
  Vnetwork_frame top_;
  maze::NetworkModel twin_;
  maze::NetworkInputs inputs_;
  maze::NetworkOutputs expected_;
  std::uint64_t cycle_ = 0;
  std::string difference_;
  bool settled_ = false;
};

}  // namespace kernbench::network_test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/dut/network_dut.hpp"
#include "sim/network/network_lockstep.hpp"

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

/// A verilated network of kNx x kNy nodes, with ports A and B of all nodes. All ports of all nodes
/// are compared with the reference in every cycle.
class Network {
 public:
  /// Resets the network. `failed` is the node without a clock.
  explicit Network(std::uint64_t seed, std::optional<unsigned> failed = {},
                   const std::string& model = "4x3");

  /// Offers a packet at A of a node until withdraw().
  void offer(unsigned node, unsigned bits);
  void withdraw(unsigned node);
  /// Sets which B are ready, a bit for each node.
  void set_ready(std::uint32_t nodes) {
    inputs_.in_ready[0] = nodes;
    settled_ = false;
  }

  /// Return what is seen before the next clock edge: ready of A, and the packet at B.
  [[nodiscard]] bool accepts(unsigned node);
  [[nodiscard]] std::optional<unsigned> delivers(unsigned node);

  void clock();

  /// Returns the first difference from the reference with its cycle, empty while there is none.
  [[nodiscard]] std::string difference() const;
  /// Holds back what the reference gets at A, from now on.
  void cut_reference_off() { cut_off_ = true; }

 private:
  /// Evaluates the network with the inputs of this cycle.
  void settle();

  std::shared_ptr<sim::NetworkDut> dut_;
  sim::NetworkLockstep lockstep_;
  maze::NetworkInputs inputs_;
  maze::NetworkOutputs outputs_;
  sim::LinkSignals links_;
  std::uint64_t cycle_ = 0;
  bool in_reset_ = true;
  bool settled_ = false;
  bool cut_off_ = false;
};

}  // namespace kernbench::network_test

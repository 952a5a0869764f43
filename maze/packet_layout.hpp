// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "maze/link_frame.hpp"

namespace kernbench::maze {

/// The fields of a packet, from the most significant bit down:
/// type (2 bits), qos (1), src and tgt (a node address each), data (`flit_w`).
struct PacketFields {
  unsigned type = 0;  ///< 0 unicast, 1 X-multicast, 2 Y-multicast, 3 broadcast
  unsigned qos = 0;   ///< 1 is high
  unsigned src = 0;   ///< node address {y, x}
  unsigned tgt = 0;   ///< node address {y, x}
  std::uint32_t data = 0;
  friend bool operator==(const PacketFields&, const PacketFields&) = default;
};

/// Positions of the fields in the packets of one shape.
class PacketLayout {
 public:
  explicit PacketLayout(const Shape& shape);

  [[nodiscard]] unsigned tgt_shift() const { return tgt_shift_; }
  [[nodiscard]] unsigned src_shift() const { return src_shift_; }
  [[nodiscard]] unsigned qos_shift() const { return qos_shift_; }
  [[nodiscard]] unsigned type_shift() const { return type_shift_; }
  [[nodiscard]] Payload data_mask() const { return (Payload{1} << tgt_shift_) - 1; }
  [[nodiscard]] Payload packet_mask() const { return (Payload{1} << (type_shift_ + 2)) - 1; }
  /// Returns the address {y, x} of a node id.
  [[nodiscard]] unsigned address(unsigned node) const {
    return (node / nx_) << x_addr_bits_ | node % nx_;
  }
  /// Returns the node id of an address {y, x} of this shape.
  [[nodiscard]] unsigned node(unsigned address) const {
    return (address >> x_addr_bits_) * nx_ + (address & ((1U << x_addr_bits_) - 1));
  }

  [[nodiscard]] unsigned type(Payload packet) const { return packet >> type_shift_ & 3U; }
  [[nodiscard]] unsigned qos(Payload packet) const { return packet >> qos_shift_ & 1U; }
  [[nodiscard]] unsigned src(Payload packet) const {
    return static_cast<unsigned>(packet >> src_shift_) & addr_mask_;
  }
  [[nodiscard]] unsigned tgt(Payload packet) const {
    return static_cast<unsigned>(packet >> tgt_shift_) & addr_mask_;
  }
  [[nodiscard]] std::uint32_t data(Payload packet) const {
    return static_cast<std::uint32_t>(packet & data_mask());
  }

  /// Returns the packet of these fields. Bits of a field beyond its width are dropped.
  [[nodiscard]] Payload encode(const PacketFields& fields) const;
  [[nodiscard]] PacketFields decode(Payload packet) const;
  /// Returns one line: `type=0 qos=1 src=[3,4] tgt=[3,5] data=0x5a`, addresses as [y,x].
  [[nodiscard]] std::string text(Payload packet) const;

 private:
  unsigned nx_;
  unsigned x_addr_bits_;
  unsigned addr_mask_;
  unsigned tgt_shift_;
  unsigned src_shift_;
  unsigned qos_shift_;
  unsigned type_shift_;
};

}  // namespace kernbench::maze

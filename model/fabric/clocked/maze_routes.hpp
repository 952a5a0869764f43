// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"
#include "maze/packet_layout.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::fabric {

/// Output ports of a node, as bits.
using PortMask = std::uint32_t;

/// Routes of a MAZE whose nodes use one dimension order (DESIGN section 6): along the first
/// dimension to the corner node, then along the second.
class MazeRoutes {
 public:
  static constexpr std::uint8_t kHere = 0xff;     ///< not a port: the node is the target
  static constexpr std::uint8_t kNowhere = 0xfe;  ///< not a port: no node has the address

  MazeRoutes(const maze::Shape& shape, topology::DimensionOrder order);

  [[nodiscard]] topology::DimensionOrder order() const { return order_; }
  /// Returns the port by which `node` sends towards `target`; kHere when they are equal.
  [[nodiscard]] std::uint8_t port(unsigned node, unsigned target) const {
    return port_to(node, layout_.address(target));
  }
  /// Returns the same for a target given by its address in packets; kNowhere for an unused address.
  [[nodiscard]] std::uint8_t port_to(unsigned node, unsigned address) const {
    return ports_[(std::size_t{node} << addr_bits_) + address];
  }
  /// Return the ports along x and along y.
  [[nodiscard]] PortMask x_ports() const { return x_ports_; }
  [[nodiscard]] PortMask y_ports() const { return y_ports_; }
  /// Return the ports of the dimension that packets take first, and second.
  [[nodiscard]] PortMask first() const { return is_xy() ? x_ports_ : y_ports_; }
  [[nodiscard]] PortMask second() const { return is_xy() ? y_ports_ : x_ports_; }

 private:
  [[nodiscard]] bool is_xy() const { return order_ == topology::DimensionOrder::XY; }

  topology::DimensionOrder order_;
  maze::PacketLayout layout_;
  unsigned addr_bits_;
  PortMask x_ports_;
  PortMask y_ports_;
  std::vector<std::uint8_t> ports_;  ///< by (node, address of the target)
};

}  // namespace kernbench::model::fabric

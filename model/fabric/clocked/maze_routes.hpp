// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "maze/link_frame.hpp"
#include "maze/packet_layout.hpp"
#include "model/fabric/seam/fabric.hpp"
#include "topology/spec/spec_values.hpp"

namespace kernbench::model::fabric {

/// Output ports of a node, as bits.
using PortMask = std::uint32_t;

/// Routes of a MAZE whose nodes use one dimension order (DESIGN section 6; MAZE network,
/// requirements 2.3 to 2.8): along the first dimension to the corner node, then along the second. A
/// unicast whose corner has failed takes the other corner.
class MazeRoutes {
 public:
  static constexpr std::uint8_t kHere = 0xff;     ///< not a port: the node is the target
  static constexpr std::uint8_t kNowhere = 0xfe;  ///< not a port: no node has the address

  MazeRoutes(const maze::Shape& shape, topology::DimensionOrder order,
             std::optional<unsigned> failed = {});

  /// Returns the port by which `node` forwards a packet to `target`; kHere when they are equal.
  [[nodiscard]] std::uint8_t port(unsigned node, unsigned target) const {
    return port_to(node, layout_.address(target));
  }
  /// Returns the same for a target given by its address in packets; kNowhere for an unused address.
  [[nodiscard]] std::uint8_t port_to(unsigned node, unsigned address) const {
    return ports_[(std::size_t{node} << addr_bits_) + address];
  }
  /// Returns the port by which the source of a unicast sends it.
  [[nodiscard]] std::uint8_t port_from(unsigned source, unsigned target) const;

  /// The way that a node sends a packet on.
  struct Fork {
    PortMask ports = 0;  ///< outputs that send a copy
    bool here = false;   ///< the node is one of its destinations
  };
  /// Returns the fork of a multicast at a node. `from` is the input port, kHere at the source.
  /// `target` is the node that its tgt field names; a broadcast ignores it.
  [[nodiscard]] Fork fork(TransferType type, unsigned node, unsigned from, unsigned target) const;

  /// Returns true when a transfer of this type and target has `node` among its destinations.
  [[nodiscard]] bool names(TransferType type, unsigned node, unsigned target) const;

 private:
  [[nodiscard]] PortMask x_ports() const { return (PortMask{1} << shape_.x_ports()) - 1; }
  [[nodiscard]] PortMask y_ports() const {
    return ((PortMask{1} << shape_.y_ports()) - 1) << shape_.x_ports();
  }
  [[nodiscard]] std::uint8_t along_x(unsigned node, unsigned target) const;
  [[nodiscard]] std::uint8_t along_y(unsigned node, unsigned target) const;
  [[nodiscard]] bool is_xy() const { return order_ == topology::DimensionOrder::XY; }

  maze::Shape shape_;
  topology::DimensionOrder order_;
  std::optional<unsigned> failed_;
  maze::PacketLayout layout_;
  unsigned addr_bits_;
  std::vector<std::uint8_t> ports_;  ///< by (node, address of the target)
};

}  // namespace kernbench::model::fabric

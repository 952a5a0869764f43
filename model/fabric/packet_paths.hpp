#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/fabric/fabric.hpp"
#include "model/maze/packet_layout.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::fabric {

/// Which links the packets of a MAZE may come by when its nodes route in one dimension order: that
/// follows from type, src and tgt alone. Links are named by the receiver's port and node.
class PacketPaths {
 public:
  PacketPaths(const maze::Shape& shape, topology::DimensionOrder order);

  /// The node that sends into a link.
  [[nodiscard]] unsigned sender(unsigned port, unsigned node) const {
    return senders_[std::size_t{port} * nodes_ + node];
  }

  /// Whether the way of a packet leads over a link. Of a unicast to an address that no node has
  /// only the part of the way that is one is looked at.
  [[nodiscard]] bool lead_over(unsigned port, unsigned node, maze::Payload packet) const {
    const unsigned type = layout_.type(packet);
    return (packet & masks_[port][type]) == values_[type][std::size_t{port} * nodes_ + node];
  }

 private:
  static constexpr std::size_t kTypes = 4;

  maze::PacketLayout layout_;
  unsigned nodes_;
  std::vector<std::uint8_t> senders_;                      ///< by port and node
  std::vector<std::array<maze::Payload, kTypes>> masks_;   ///< bits that matter, by port and type
  std::array<std::vector<maze::Payload>, kTypes> values_;  ///< of them, by type, port and node
};

}  // namespace kernbench::model::fabric

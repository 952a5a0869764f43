#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "maze/packet_layout.hpp"
#include "model/fabric/seam/fabric.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::fabric {

/// Which links the packets of a MAZE may come by when its nodes route in one dimension order: that
/// follows from type, src and tgt alone. A port of a node has the place port * nodes + node; links
/// are named by the port at which they end.
class PacketPaths {
 public:
  PacketPaths(const maze::Shape& shape, topology::DimensionOrder order);

  /// The output at which the link to input `place` begins.
  [[nodiscard]] std::size_t output(std::size_t place) const { return outputs_[place]; }

  /// Whether the way of a packet leads over the link to input `place`, of a node's `port`. Of a
  /// unicast to an address that no node has only the part of the way that is one is looked at.
  [[nodiscard]] bool lead_over(std::size_t place, unsigned port, maze::Payload packet) const {
    const unsigned type = layout_.type(packet);
    return (packet & masks_[port][type]) == values_[type][place];
  }

 private:
  static constexpr std::size_t kTypes = 4;

  maze::PacketLayout layout_;
  std::vector<std::uint16_t> outputs_;                     ///< by place of the input
  std::vector<std::array<maze::Payload, kTypes>> masks_;   ///< bits that matter, by port and type
  std::array<std::vector<maze::Payload>, kTypes> values_;  ///< of them, by type and place
};

}  // namespace kernbench::model::fabric

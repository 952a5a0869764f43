// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "maze/packet_layout.hpp"
#include "model/fabric/seam/fabric.hpp"
#include "topology/spec/spec_values.hpp"

namespace kernbench::model::fabric {

/// The links that a packet of a MAZE may use when all nodes route in one dimension order. They
/// follow from type, src and tgt alone. Port `port` of node `node` has the place port * nodes +
/// node; a link is identified by the place of the input where it ends.
class PacketPaths {
 public:
  PacketPaths(const maze::Shape& shape, topology::DimensionOrder order);

  /// Returns the place of the output where the link to input `place` begins.
  [[nodiscard]] std::size_t output(std::size_t place) const { return outputs_[place]; }

  /// Returns true when the route of a packet uses the link to input `place`, which is port `port`
  /// of its node. For a unicast to an unused address, only the part of the route that exists
  /// counts.
  [[nodiscard]] bool lead_over(std::size_t place, unsigned port, maze::Payload packet) const {
    const unsigned type = layout_.type(packet);
    return (packet & masks_[port][type]) == values_[type][place];
  }

 private:
  static constexpr std::size_t kTypes = 4;

  maze::PacketLayout layout_;
  std::vector<std::uint16_t> outputs_;                    ///< output, by place of the input
  std::vector<std::array<maze::Payload, kTypes>> masks_;  ///< compared bits, by port and type
  std::array<std::vector<maze::Payload>, kTypes>
      values_;  ///< expected values of these bits, by type and place
};

}  // namespace kernbench::model::fabric

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
/// follows from type, src and tgt alone. Links are numbered by the receiver's port and node.
class PacketPaths {
 public:
  PacketPaths(const maze::Shape& shape, topology::DimensionOrder order);

  /// The node that sends into a link.
  [[nodiscard]] unsigned sender(std::size_t link) const { return links_[link].sender; }

  /// Whether the way of a packet leads over a link. Of a unicast to an address that no node has
  /// only the part of the way that is one is looked at.
  [[nodiscard]] bool lead_over(std::size_t link, maze::Payload packet) const {
    const Fields& wanted = links_[link].packets[layout_.type(packet)];
    return (packet & wanted.mask) == wanted.value;
  }

 private:
  /// Bits of a packet, and what they must be.
  struct Fields {
    maze::Payload mask = 0;
    maze::Payload value = 0;
  };
  struct Link {
    unsigned sender = 0;
    std::array<Fields, 4> packets{};  ///< that may come, by type
  };

  maze::PacketLayout layout_;
  std::vector<Link> links_;
};

}  // namespace kernbench::model::fabric

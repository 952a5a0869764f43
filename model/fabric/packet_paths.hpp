#pragma once

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
    const Link& at = links_[link];
    const unsigned src = layout_.src(packet);
    switch (static_cast<TransferType>(layout_.type(packet))) {
      case TransferType::Unicast: {
        const unsigned tgt = layout_.tgt(packet);
        return at.is_first ? src == at.from && corner(src, tgt) == at.to
                           : corner(src, tgt) == at.from && tgt == at.to;
      }
      case TransferType::XMulticast:
        return at.is_x && src == at.from;
      case TransferType::YMulticast:
        return !at.is_x && src == at.from;
      case TransferType::Broadcast:
        return (at.is_first ? src : corner(src, at.to)) == at.from;
    }
    return false;
  }

 private:
  struct Link {
    std::uint16_t sender = 0;
    std::uint16_t from = 0;  ///< the sender's address
    std::uint16_t to = 0;    ///< the receiver's
    bool is_x = false;       ///< along a row
    bool is_first = false;   ///< along the first dimension
  };
  /// The address at which the way between two turns.
  [[nodiscard]] unsigned corner(unsigned src, unsigned tgt) const {
    return (src & second_) | (tgt & ~second_);
  }

  maze::PacketLayout layout_;
  unsigned second_;  ///< address bits of the coordinate that changes last
  std::vector<Link> links_;
};

}  // namespace kernbench::model::fabric

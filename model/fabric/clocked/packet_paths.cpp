// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/packet_paths.hpp"

#include "topology/maze_links.hpp"

namespace kernbench::model::fabric {

PacketPaths::PacketPaths(const maze::Shape& shape, topology::DimensionOrder order)
    : layout_(shape), outputs_(shape.links()), masks_(shape.ports()) {
  for (auto& values : values_) values.resize(shape.links());
  const bool x_first = order == topology::DimensionOrder::XY;
  const unsigned x_bits = (1U << shape.x_addr_bits()) - 1;
  const unsigned y_bits = ((1U << shape.y_addr_bits()) - 1) << shape.x_addr_bits();
  const unsigned all_bits = x_bits | y_bits;
  const unsigned first_bits = x_first ? x_bits : y_bits;
  const unsigned second_bits = x_first ? y_bits : x_bits;

  const auto place_of = [&](const topology::MazePort& at) {
    return std::size_t{at.port} * shape.nodes() + at.node;
  };

  const topology::MazeLinks links(shape.nx, shape.ny);
  for (const topology::MazeLink& link : links.links()) {
    const unsigned port = link.to.port;
    const bool is_x = port < shape.x_ports();
    const bool is_first = is_x == x_first;
    const unsigned from = layout_.address(link.from.node);
    const unsigned to = layout_.address(link.to.node);
    const std::size_t place = place_of(link.to);
    outputs_[place] = static_cast<std::uint16_t>(place_of(link.from));
    // Requires these bits of src and tgt to equal those of the two ends of the link.
    const auto allow = [&](TransferType type, unsigned src_bits, unsigned tgt_bits) {
      const auto fields = [&](unsigned src, unsigned tgt) {
        return maze::Payload{src} << layout_.src_shift() | maze::Payload{tgt}
                                                               << layout_.tgt_shift();
      };
      const auto i = static_cast<std::size_t>(type);
      masks_[port][i] = fields(src_bits, tgt_bits);
      values_[i][place] = fields(from & src_bits, to & tgt_bits);
    };
    // A multicast that fixes a coordinate is a column (x) or a row (y).
    const auto first_fixed = x_first ? TransferType::XMulticast : TransferType::YMulticast;
    const auto second_fixed = x_first ? TransferType::YMulticast : TransferType::XMulticast;
    if (is_first) {
      // To the corner, which has the first coordinate of the target.
      allow(TransferType::Unicast, all_bits, first_bits);
      allow(first_fixed, all_bits, first_bits);
      allow(second_fixed, all_bits, 0);
      allow(TransferType::Broadcast, all_bits, 0);
    } else {
      // From the corner, which has the second coordinate of the source. A multicast that does not
      // fix the first coordinate has every node of the source's row (or column) as a corner.
      allow(TransferType::Unicast, second_bits, all_bits);
      allow(first_fixed, second_bits, first_bits);
      allow(second_fixed, second_bits, second_bits);
      allow(TransferType::Broadcast, second_bits, 0);
    }
  }
}

}  // namespace kernbench::model::fabric

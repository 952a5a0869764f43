#include "model/fabric/packet_paths.hpp"

#include "topology/maze_links.hpp"

namespace kernbench::model::fabric {

PacketPaths::PacketPaths(const maze::Shape& shape, topology::DimensionOrder order)
    : layout_(shape), links_(shape.links()) {
  const bool x_first = order == topology::DimensionOrder::XY;
  const unsigned x_bits = (1U << shape.x_addr_bits()) - 1;
  const unsigned y_bits = ((1U << shape.y_addr_bits()) - 1) << shape.x_addr_bits();
  const unsigned all_bits = x_bits | y_bits;
  const unsigned first_bits = x_first ? x_bits : y_bits;
  const unsigned second_bits = x_first ? y_bits : x_bits;
  // These bits of src and tgt are those of the two addresses.
  const auto fields = [&](unsigned src_bits, unsigned src, unsigned tgt_bits, unsigned tgt) {
    const auto at = [&](unsigned src_field, unsigned tgt_field) {
      return maze::Payload{src_field} << layout_.src_shift() | maze::Payload{tgt_field}
                                                                   << layout_.tgt_shift();
    };
    return Fields{at(src_bits, tgt_bits), at(src & src_bits, tgt & tgt_bits)};
  };
  constexpr Fields kNone{0, 1};

  const topology::MazeLinks links(shape.nx, shape.ny);
  for (const topology::MazeLink& link : links.links()) {
    const bool is_x = link.to.port < shape.x_ports();
    const bool is_first = is_x == x_first;
    const unsigned from = layout_.address(link.from.node);
    const unsigned to = layout_.address(link.to.node);
    const Fields from_sender = fields(all_bits, from, 0, 0);
    links_[std::size_t{link.to.port} * shape.nodes() + link.to.node] = {
        .sender = link.from.node,
        .packets = {
            // To the corner, which has the first coordinate of the target; or from there, which
            // has the second one of the source.
            is_first ? fields(all_bits, from, first_bits, to)
                     : fields(second_bits, from, all_bits, to),
            is_x ? from_sender : kNone,
            is_x ? kNone : from_sender,
            // Along the second dimension from every node of the source's row (or column).
            is_first ? from_sender : fields(second_bits, from, 0, 0),
        }};
  }
}

}  // namespace kernbench::model::fabric

#include "model/fabric/packet_paths.hpp"

#include "topology/maze_links.hpp"

namespace kernbench::model::fabric {

PacketPaths::PacketPaths(const maze::Shape& shape, topology::DimensionOrder order)
    : layout_(shape), links_(shape.links()) {
  const bool x_first = order == topology::DimensionOrder::XY;
  const unsigned x_bits = (1U << shape.x_addr_bits()) - 1;
  const unsigned y_bits = ((1U << shape.y_addr_bits()) - 1) << shape.x_addr_bits();
  second_ = x_first ? y_bits : x_bits;
  const topology::MazeLinks links(shape.nx, shape.ny);
  for (const topology::MazeLink& link : links.links()) {
    const bool is_x = link.to.port < shape.x_ports();
    links_[std::size_t{link.to.port} * shape.nodes() + link.to.node] = {
        .sender = static_cast<std::uint16_t>(link.from.node),
        .from = static_cast<std::uint16_t>(layout_.address(link.from.node)),
        .to = static_cast<std::uint16_t>(layout_.address(link.to.node)),
        .is_x = is_x,
        .is_first = is_x == x_first};
  }
}

}  // namespace kernbench::model::fabric

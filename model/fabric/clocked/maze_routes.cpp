// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/maze_routes.hpp"

namespace kernbench::model::fabric {
namespace {

/// Returns the index, within its dimension, of the port between two positions of a ring of `side`
/// nodes. Port i leads i+1 positions up.
unsigned ring_port(unsigned from, unsigned to, unsigned side) {
  return (to + side - from - 1) % side;
}

}  // namespace

MazeRoutes::MazeRoutes(const maze::Shape& shape, topology::DimensionOrder order)
    : order_(order),
      layout_(shape),
      addr_bits_(shape.node_addr_bits()),
      x_ports_((PortMask{1} << shape.x_ports()) - 1),
      y_ports_(((PortMask{1} << shape.y_ports()) - 1) << shape.x_ports()),
      ports_(std::size_t{shape.nodes()} << addr_bits_, kNowhere) {
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    for (unsigned target = 0; target < shape.nodes(); ++target) {
      const unsigned x = node % shape.nx;
      const unsigned y = node / shape.nx;
      const bool x_differs = x != target % shape.nx;
      const bool y_differs = y != target / shape.nx;
      std::uint8_t& port = ports_[(std::size_t{node} << addr_bits_) + layout_.address(target)];
      if (!x_differs && !y_differs) {
        port = kHere;
        continue;
      }
      const bool along_x = x_differs && (is_xy() || !y_differs);
      port = static_cast<std::uint8_t>(along_x ? ring_port(x, target % shape.nx, shape.nx)
                                               : shape.x_ports() +
                                                     ring_port(y, target / shape.nx, shape.ny));
    }
  }
}

}  // namespace kernbench::model::fabric

// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/maze_routes.hpp"

namespace kernbench::model::fabric {
namespace {

/// Returns the index, within its dimension, of the port between two positions of a ring of `side`
/// nodes. Port i leads i+1 positions up.
unsigned ring_port(unsigned from, unsigned to, unsigned side) {
  return (to + side - from - 1) % side;
}

constexpr PortMask mask_of(unsigned port) {
  return PortMask{1} << port;
}

}  // namespace

MazeRoutes::MazeRoutes(const maze::Shape& shape, topology::DimensionOrder order,
                       std::optional<unsigned> failed)
    : shape_(shape),
      order_(order),
      failed_(failed),
      layout_(shape),
      addr_bits_(shape.node_addr_bits()),
      ports_(std::size_t{shape.nodes()} << addr_bits_, kNowhere) {
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    for (unsigned target = 0; target < shape.nodes(); ++target) {
      const std::uint8_t x = along_x(node, target);
      const std::uint8_t y = along_y(node, target);
      const bool x_next = x != kHere && (is_xy() || y == kHere);
      ports_[(std::size_t{node} << addr_bits_) + layout_.address(target)] = x_next ? x : y;
    }
  }
}

/// Returns the port along X to the column of `target`; kHere in that column.
std::uint8_t MazeRoutes::along_x(unsigned node, unsigned target) const {
  const unsigned from = node % shape_.nx;
  const unsigned to = target % shape_.nx;
  return from == to ? kHere : static_cast<std::uint8_t>(ring_port(from, to, shape_.nx));
}

std::uint8_t MazeRoutes::along_y(unsigned node, unsigned target) const {
  const unsigned from = node / shape_.nx;
  const unsigned to = target / shape_.nx;
  return from == to ? kHere
                    : static_cast<std::uint8_t>(shape_.x_ports() + ring_port(from, to, shape_.ny));
}

std::uint8_t MazeRoutes::port_from(unsigned source, unsigned target) const {
  const std::uint8_t x = along_x(source, target);
  const std::uint8_t y = along_y(source, target);
  if (!failed_ || x == kHere || y == kHere) return port(source, target);
  const unsigned corner = is_xy() ? source / shape_.nx * shape_.nx + target % shape_.nx
                                  : target / shape_.nx * shape_.nx + source % shape_.nx;
  if (corner != *failed_) return port(source, target);
  return is_xy() ? y : x;
}

MazeRoutes::Fork MazeRoutes::fork(TransferType type, unsigned node, unsigned from,
                                  unsigned target) const {
  // A column fixes x and spreads along Y, a row the other way round.
  const bool fixes_x = type == TransferType::XMulticast;
  const bool fixes_y = type == TransferType::YMulticast;
  const bool fixes_first = is_xy() ? fixes_x : fixes_y;
  const bool fixes_second = is_xy() ? fixes_y : fixes_x;
  const PortMask first_ports = is_xy() ? x_ports() : y_ports();
  const PortMask second_ports = is_xy() ? y_ports() : x_ports();
  if (from != kHere && (mask_of(from) & second_ports) != 0) return {0, true};
  Fork fork;
  if (from == kHere) {
    const std::uint8_t port = is_xy() ? along_x(node, target) : along_y(node, target);
    if (fixes_first && port != kHere) return {mask_of(port), false};
    if (!fixes_first) fork.ports |= first_ports;
  }
  if (fixes_second) {
    const std::uint8_t port = is_xy() ? along_y(node, target) : along_x(node, target);
    fork.here = port == kHere;
    if (!fork.here) fork.ports |= mask_of(port);
  } else {
    fork.here = true;
    fork.ports |= second_ports;
  }
  return fork;
}

bool MazeRoutes::names(TransferType type, unsigned node, unsigned target) const {
  switch (type) {
    case TransferType::Unicast:
      return node == target;
    case TransferType::XMulticast:
      return node % shape_.nx == target % shape_.nx;
    case TransferType::YMulticast:
      return node / shape_.nx == target / shape_.nx;
    case TransferType::Broadcast:
      return true;
  }
  return false;
}

}  // namespace kernbench::model::fabric

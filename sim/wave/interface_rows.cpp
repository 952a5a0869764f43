// SPDX-License-Identifier: Apache-2.0
#include "sim/wave/interface_rows.hpp"

#include <fmt/format.h>

namespace kernbench::sim {

InterfacePort interface_port(const maze::Shape& shape, const std::string& array,
                             const topology::MazePort& end, const std::string& direction) {
  const bool is_x = end.port < shape.x_ports();
  return {fmt::format("{}[{}]", array, end.node), (is_x ? "x" : "y") + direction,
          is_x ? end.port : end.port - shape.x_ports(),
          is_x ? shape.x_ports() : shape.ports() - shape.x_ports()};
}

void add_bit(SaveFile& save, const InterfacePort& end, const std::string& field) {
  save.row(
      fmt::format("{}{}[{}]", end.prefix, field, end.index),
      save.element(fmt::format("{}.{}{}", end.scope, end.prefix, field), end.index, end.count, 1),
      RowFormat::Bit);
}

void add_packet(SaveFile& save, const maze::Shape& shape, const InterfacePort& end) {
  const auto slice = [&](const char* field, unsigned bits) {
    return save.element(fmt::format("{}.{}{}", end.scope, end.prefix, field), end.index, end.count,
                        bits);
  };
  const auto label = [&](const char* field) {
    return fmt::format("{}{}[{}]", end.prefix, field, end.index);
  };
  save.row(label("type"), slice("type", 2), RowFormat::PacketType);
  save.row(label("qos"), slice("qos", 1), RowFormat::Bit);
  for (const char* field : {"src", "tgt"}) {
    const SignalSlice address = slice(field, shape.node_addr_bits());
    save.address(label(field), address.name, address.low);
  }
  save.row(label("data"), slice("data", shape.flit_w), RowFormat::Hex);
}

}  // namespace kernbench::sim

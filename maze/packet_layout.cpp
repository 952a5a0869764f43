// SPDX-License-Identifier: Apache-2.0
#include "maze/packet_layout.hpp"

#include <fmt/format.h>

namespace kernbench::maze {

PacketLayout::PacketLayout(const Shape& shape)
    : nx_(shape.nx),
      x_addr_bits_(shape.x_addr_bits()),
      addr_mask_((1U << shape.node_addr_bits()) - 1),
      tgt_shift_(shape.flit_w),
      src_shift_(tgt_shift_ + shape.node_addr_bits()),
      qos_shift_(src_shift_ + shape.node_addr_bits()),
      type_shift_(qos_shift_ + 1) {}

Payload PacketLayout::encode(const PacketFields& fields) const {
  return Payload{fields.type & 3U} << type_shift() | Payload{fields.qos & 1U} << qos_shift() |
         Payload{fields.src & addr_mask_} << src_shift_ |
         Payload{fields.tgt & addr_mask_} << tgt_shift_ | (fields.data & data_mask());
}

PacketFields PacketLayout::decode(Payload packet) const {
  return {type(packet), qos(packet), src(packet), tgt(packet), data(packet)};
}

std::string PacketLayout::text(Payload packet) const {
  const PacketFields fields = decode(packet);
  const unsigned x_mask = (1U << x_addr_bits_) - 1;
  return fmt::format("type={} qos={} src=[{},{}] tgt=[{},{}] data=0x{:0{}x}", fields.type,
                     fields.qos, fields.src >> x_addr_bits_, fields.src & x_mask,
                     fields.tgt >> x_addr_bits_, fields.tgt & x_mask, fields.data,
                     (tgt_shift_ + 3) / 4);
}

}  // namespace kernbench::maze

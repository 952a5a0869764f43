// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/reassembly.hpp"

#include <fmt/format.h>

#include "model/fabric/clocked/fabric_failure.hpp"
#include "model/fabric/clocked/maze_routes.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::model::fabric {

Reassembly::Reassembly(const maze::Shape& shape, OpenTransfers& transfers)
    : shape_(shape), layout_(shape), transfers_(transfers) {
  const maze::Payload x = ((maze::Payload{1} << shape.x_addr_bits()) - 1) << layout_.tgt_shift();
  const maze::Payload all = ((maze::Payload{1} << shape.node_addr_bits()) - 1)
                            << layout_.tgt_shift();
  // A column uses the x of tgt, a row its y, a broadcast nothing (MAZE network, requirement 2.2).
  used_ = {~maze::Payload{0}, ~(all & ~x), ~x, ~all};
  for (auto& flows : flows_) flows.resize(std::size_t{2} << 2 * shape.node_addr_bits());
}

Reassembly::Received Reassembly::receive_copy(unsigned node, unsigned port, maze::Payload packet,
                                              Edge edge) {
  if (!names(node, packet)) reject(node, port, packet, edge, "it is for other nodes");
  Flow& flow = flow_of(packet);
  // Skip transfers that this node has received and other nodes have not.
  Slot slot = flow.first;
  while (slot != kNoSlot && transfers_[slot].copies[node] == transfers_[slot].packets) {
    slot = transfers_[slot].next;
  }
  if (slot == kNoSlot) reject_stranger(node, port, packet, edge);
  OpenTransfer& transfer = transfers_[slot];
  std::uint64_t& received = transfer.copies[node];
  // A packet counts as sent with its last copy, so the packet being sent may arrive as well.
  if (received > transfer.sent) reject_early(node, port, packet, edge, received, slot);
  require_data(node, port, packet, edge, received, slot);
  const std::uint64_t number = received++;
  if (received != transfer.packets || --transfer.nodes_left != 0) return {slot, number, false};
  // All nodes have the earlier transfers of the flow, so this one is its first.
  flow.first = transfer.next;
  return {slot, number, true};
}

/// Returns true when a multicast names the node.
bool Reassembly::names(unsigned node, maze::Payload packet) const {
  const maze::Payload own = maze::Payload{layout_.address(node)} << layout_.tgt_shift();
  const maze::Payload tgt = ((maze::Payload{1} << shape_.node_addr_bits()) - 1)
                            << layout_.tgt_shift();
  return ((packet ^ own) & tgt & used_[layout_.type(packet)]) == 0;
}

void Reassembly::reject(unsigned node, unsigned port, maze::Payload packet, Edge edge,
                        const std::string& why) const {
  const topology::MazeLinks links(shape_.nx, shape_.ny);
  const std::string from = port == MazeRoutes::kHere ? links.coordinates(node)
                                                     : links.link_name(links.arriving(node, port));
  throw FabricFailure(edge, fmt::format("{} brought {}: {}", from, layout_.text(packet), why));
}

void Reassembly::reject_stranger(unsigned node, unsigned port, maze::Payload packet,
                                 Edge edge) const {
  for (unsigned src = 0; src < shape_.nodes(); ++src) {
    if (layout_.address(src) == layout_.src(packet)) {
      reject(node, port, packet, edge, "it belongs to no transfer");
    }
  }
  reject(node, port, packet, edge, "its source is not a node");
}

void Reassembly::reject_early(unsigned node, unsigned port, maze::Payload packet, Edge edge,
                              std::uint64_t number, Slot slot) const {
  reject(node, port, packet, edge,
         fmt::format("packet {} of transfer {} has not been sent", number,
                     transfers_[slot].transfer.id));
}

void Reassembly::reject_data(unsigned node, unsigned port, maze::Payload packet, Edge edge,
                             std::uint64_t number, Slot slot) const {
  const OpenTransfer& transfer = transfers_[slot];
  const maze::Payload expected =
      transfer.header | packet_data(transfer.transfer.id, number, flit_bits());
  reject(node, port, packet, edge,
         fmt::format("packet {} of transfer {} is {}", number, transfer.transfer.id,
                     layout_.text(expected)));
}

}  // namespace kernbench::model::fabric

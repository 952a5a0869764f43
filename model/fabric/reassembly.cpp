#include "model/fabric/reassembly.hpp"

#include <fmt/format.h>

#include "model/fabric/fabric_failure.hpp"
#include "model/fabric/maze_routes.hpp"
#include "model/fabric/transfer_data.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::model::fabric {

Reassembly::Reassembly(const maze::Shape& shape, OpenTransfers& transfers)
    : shape_(shape),
      layout_(shape),
      transfers_(transfers),
      nodes_(std::size_t{1} << shape.node_addr_bits(), static_cast<std::uint16_t>(shape.nodes())),
      flows_(std::size_t{2} * shape.nodes() * (shape.nodes() + 3)) {
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    nodes_[layout_.address(node)] = static_cast<std::uint16_t>(node);
  }
}

std::size_t Reassembly::flow_of(unsigned src, unsigned dst, TransferType type, Qos qos) const {
  const std::size_t column =
      type == TransferType::Unicast ? dst : shape_.nodes() + static_cast<std::size_t>(type) - 1;
  return (src * std::size_t{shape_.nodes() + 3} + column) * 2 + static_cast<std::size_t>(qos);
}

void Reassembly::expect(Slot slot) {
  const Transfer& transfer = transfers_[slot].transfer;
  Flow& flow = flows_[flow_of(transfer.src, transfer.dst, transfer.type, transfer.qos)];
  if (flow.first == kNoSlot) {
    flow.first = slot;
  } else {
    transfers_[flow.last].next = slot;
  }
  flow.last = slot;
}

Reassembly::Received Reassembly::receive(unsigned node, unsigned port, maze::Payload packet,
                                         Edge edge) {
  const auto type = static_cast<TransferType>(layout_.type(packet));
  const unsigned src = nodes_[layout_.src(packet)];
  if (src >= shape_.nodes()) reject(node, port, packet, edge, "its source is no node");
  Flow& flow = flows_[flow_of(src, node, type, static_cast<Qos>(layout_.qos(packet)))];

  const auto received_of = [&](Slot slot) -> std::uint64_t& {
    OpenTransfer& transfer = transfers_[slot];
    return type == TransferType::Unicast ? transfer.received : transfer.copies[node];
  };
  // Only of multicasts there may be transfers before it that this node has, and others still miss.
  Slot slot = flow.first;
  while (slot != kNoSlot && received_of(slot) == transfers_[slot].packets) {
    slot = transfers_[slot].next;
  }
  if (slot == kNoSlot) reject(node, port, packet, edge, "no transfer has a packet like it");
  OpenTransfer& transfer = transfers_[slot];
  std::uint64_t& received = received_of(slot);
  // A packet of a multicast is sent when its last copy is; the one on its way out counts.
  if (received > transfer.sent || (received == transfer.sent && type == TransferType::Unicast)) {
    reject(
        node, port, packet, edge,
        fmt::format("packet {} of transfer {} has not been sent", received, transfer.transfer.id));
  }
  const maze::Payload expected =
      transfer.header | packet_data(transfer.transfer.id, received, shape_.flit_w);
  if (packet != expected) {
    reject(node, port, packet, edge,
           fmt::format("packet {} of transfer {} is {}", received, transfer.transfer.id,
                       layout_.text(expected)));
  }
  const std::uint64_t number = received++;
  if (received != transfer.packets || --transfer.nodes_left != 0) return {slot, number, false};
  // All its nodes have the transfers before it too: it is the first.
  flow.first = transfer.next;
  return {slot, number, true};
}

void Reassembly::reject(unsigned node, unsigned port, maze::Payload packet, Edge edge,
                        const std::string& why) const {
  const topology::MazeLinks links(shape_.nx, shape_.ny);
  const std::string from = port == MazeRoutes::kHere ? links.coordinates(node)
                                                     : links.link_name(links.arriving(node, port));
  throw FabricFailure(edge, fmt::format("{} brought {}: {}", from, layout_.text(packet), why));
}

}  // namespace kernbench::model::fabric

// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/transfer_endpoints.hpp"

#include <fmt/format.h>

#include "model/fabric/clocked/stepped_network.hpp"

namespace kernbench::model::fabric {

Slot TransferEndpoints::accept(const Transfer& transfer, std::uint64_t packets, unsigned copies) {
  const Slot slot = transfers_.add(transfer, packets);
  OpenTransfer& open = transfers_[slot];
  if (transfer.type != TransferType::Unicast) {
    open.nodes_left = copies;
    open.copies.assign(nodes_.size(), 0);
  }
  const maze::PacketLayout& layout = reassembly_.layout();
  open.header = maze::Payload{static_cast<unsigned>(transfer.type)} << layout.type_shift() |
                maze::Payload{static_cast<unsigned>(transfer.qos)} << layout.qos_shift() |
                maze::Payload{layout.address(transfer.src)} << layout.src_shift() |
                maze::Payload{layout.address(transfer.dst)} << layout.tgt_shift();
  return slot;
}

void TransferEndpoints::begin(Slot slot) {
  ++under_way_;
  reassembly_.expect(slot);
  const Transfer& transfer = transfers_[slot].transfer;
  Source& source = nodes_[transfer.src][static_cast<unsigned>(transfer.qos)];
  (source.first == kNoSlot ? source.first : transfers_[source.last].next_at_source) = slot;
  source.last = slot;
}

void TransferEndpoints::deliver(unsigned node, unsigned port, maze::Payload packet, Edge edge) {
  const Reassembly::Received received = reassembly_.receive(node, port, packet, edge);
  const std::uint64_t id = transfers_[received.slot].transfer.id;
  if (observer_ != nullptr) observer_->on_delivered(edge, node, id, received.packet);
  if (!received.done) return;
  transfers_.remove(received.slot);
  --under_way_;
  done_.push_back(id);
}

std::string TransferEndpoints::what_waits() const {
  const unsigned nx = reassembly_.shape().nx;
  return text_of_open(transfers_, [nx](std::uint32_t node) {
    return fmt::format("[{},{}]", node / nx, node % nx);
  });
}

}  // namespace kernbench::model::fabric

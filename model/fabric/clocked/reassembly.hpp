// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "maze/packet_layout.hpp"
#include "model/fabric/clocked/open_transfers.hpp"
#include "model/fabric/clocked/transfer_data.hpp"

namespace kernbench::model::fabric {

/// Reassembles transfers from the contents of packets alone. Type, QoS, src and tgt identify a
/// flow; its transfers arrive one after the other. Every packet is compared with the next data that
/// its flow has to deliver to the node, so lost, duplicated, reordered, misrouted and changed
/// packets are detected.
class Reassembly {
 public:
  /// `transfers` must outlive the object.
  Reassembly(const maze::Shape& shape, OpenTransfers& transfers);

  /// Registers a transfer that begins. Transfers of one flow must begin in the order of sending.
  void expect(Slot slot) {
    Flow& flow = flow_of(transfers_[slot].header);
    if (flow.first == kNoSlot) {
      flow.first = slot;
    } else {
      transfers_[flow.last].next = slot;
    }
    flow.last = slot;
  }

  struct Received {
    Slot slot = kNoSlot;
    std::uint64_t packet = 0;  ///< packet number within the transfer
    bool done = false;         ///< all nodes have all packets: the caller removes the transfer
  };
  /// Accepts a packet at a destination; the tgt of a unicast is the address of `node`. `port` is
  /// the input by which it arrived, or MazeRoutes::kHere for the node's own packet. Throws
  /// FabricFailure when another packet was expected.
  Received receive(unsigned node, unsigned port, maze::Payload packet, Edge edge) {
    if (layout_.type(packet) != 0) return receive_copy(node, port, packet, edge);
    Flow& flow = flow_of(packet);
    if (flow.first == kNoSlot) reject_stranger(node, port, packet, edge);
    const Slot slot = flow.first;
    OpenTransfer& transfer = transfers_[slot];
    if (transfer.received >= transfer.sent) {
      reject_early(node, port, packet, edge, transfer.received, slot);
    }
    require_data(node, port, packet, edge, transfer.received, slot);
    const std::uint64_t number = transfer.received++;
    if (transfer.received != transfer.packets) return {slot, number, false};
    flow.first = transfer.next;
    return {slot, number, true};
  }
  /// Throws a FabricFailure that names the link by which the packet arrived and the reason `why`.
  [[noreturn]] void reject(unsigned node, unsigned port, maze::Payload packet, Edge edge,
                           const std::string& why) const;

  [[nodiscard]] const maze::PacketLayout& layout() const { return layout_; }

 private:
  /// Transfers of the same type, QoS, src and tgt, in order.
  struct Flow {
    Slot first = kNoSlot;
    Slot last = kNoSlot;
  };
  /// Returns the flow of a packet; the tgt of a multicast is ignored.
  [[nodiscard]] Flow& flow_of(maze::Payload packet) {
    const unsigned type = layout_.type(packet);
    // The fields between type and data are QoS, src and tgt.
    if (type == 0) return unicasts_[packet >> layout_.tgt_shift() & (unicasts_.size() - 1)];
    return multicasts_[type - 1][(packet & qos_and_src_) >> layout_.src_shift()];
  }

  Received receive_copy(unsigned node, unsigned port, maze::Payload packet, Edge edge);
  void require_data(unsigned node, unsigned port, maze::Payload packet, Edge edge,
                    std::uint64_t number, Slot slot) const {
    const OpenTransfer& transfer = transfers_[slot];
    const maze::Payload expected =
        transfer.header | packet_data(transfer.transfer.id, number, flit_bits_);
    if (packet != expected) reject_data(node, port, packet, edge, number, slot);
  }
  [[noreturn]] void reject_stranger(unsigned node, unsigned port, maze::Payload packet,
                                    Edge edge) const;
  [[noreturn]] void reject_early(unsigned node, unsigned port, maze::Payload packet, Edge edge,
                                 std::uint64_t number, Slot slot) const;
  [[noreturn]] void reject_data(unsigned node, unsigned port, maze::Payload packet, Edge edge,
                                std::uint64_t number, Slot slot) const;

  maze::Shape shape_;
  maze::PacketLayout layout_;
  unsigned flit_bits_;
  maze::Payload qos_and_src_;  ///< mask of these fields
  OpenTransfers& transfers_;
  std::vector<Flow> unicasts_;                   ///< by QoS, src and tgt, as encoded in packets
  std::array<std::vector<Flow>, 3> multicasts_;  ///< by type, QoS and src
};

}  // namespace kernbench::model::fabric

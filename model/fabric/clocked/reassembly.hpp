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

/// Reassembles transfers from the contents of packets alone. Type, QoS, src and the part of tgt
/// that the type uses identify a flow; its transfers arrive one after the other. Every packet is
/// compared with the next data that its flow has to deliver to the node, so lost, duplicated,
/// reordered, misrouted and changed packets are detected.
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
  /// Accepts a packet at a destination. `port` is the input by which it arrived, or
  /// MazeRoutes::kHere if it came by port B. Throws FabricFailure when another packet was expected.
  Received receive(unsigned node, unsigned port, maze::Payload packet, Edge edge) {
    if (layout_.type(packet) != 0) return receive_copy(node, port, packet, edge);
    if (layout_.tgt(packet) != layout_.address(node)) {
      reject(node, port, packet, edge, "its target is another node");
    }
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

  [[nodiscard]] const maze::Shape& shape() const { return shape_; }
  [[nodiscard]] const maze::PacketLayout& layout() const { return layout_; }
  [[nodiscard]] unsigned flit_bits() const { return shape_.flit_w; }

 private:
  /// Transfers of the same type, QoS, src and tgt, in order.
  struct Flow {
    Slot first = kNoSlot;
    Slot last = kNoSlot;
  };
  /// Returns the flow of a packet.
  [[nodiscard]] Flow& flow_of(maze::Payload packet) {
    const unsigned type = layout_.type(packet);
    // The fields between type and data are QoS, src and tgt.
    return flows_[type][(packet & used_[type]) >> layout_.tgt_shift() & (flows_[type].size() - 1)];
  }

  [[nodiscard]] bool names(unsigned node, maze::Payload packet) const;
  Received receive_copy(unsigned node, unsigned port, maze::Payload packet, Edge edge);
  void require_data(unsigned node, unsigned port, maze::Payload packet, Edge edge,
                    std::uint64_t number, Slot slot) const {
    const OpenTransfer& transfer = transfers_[slot];
    const maze::Payload expected =
        transfer.header | packet_data(transfer.transfer.id, number, flit_bits());
    if (((packet ^ expected) & used_[layout_.type(packet)]) != 0) {
      reject_data(node, port, packet, edge, number, slot);
    }
  }
  [[noreturn]] void reject_stranger(unsigned node, unsigned port, maze::Payload packet,
                                    Edge edge) const;
  [[noreturn]] void reject_early(unsigned node, unsigned port, maze::Payload packet, Edge edge,
                                 std::uint64_t number, Slot slot) const;
  [[noreturn]] void reject_data(unsigned node, unsigned port, maze::Payload packet, Edge edge,
                                std::uint64_t number, Slot slot) const;

  maze::Shape shape_;
  maze::PacketLayout layout_;
  OpenTransfers& transfers_;
  std::array<maze::Payload, 4> used_;         ///< mask of all but the unused part of tgt, by type
  std::array<std::vector<Flow>, 4> flows_{};  ///< by type, then by QoS, src and tgt
};

}  // namespace kernbench::model::fabric

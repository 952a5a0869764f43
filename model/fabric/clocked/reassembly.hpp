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

/// Puts packets together again, from what they carry alone: type, QoS, src and tgt name a flow,
/// whose transfers come one after the other, each with as many packets as it has. So every packet
/// is held against the next data that its flow owes to the node: one that is lost, comes twice,
/// overtakes, strays or was changed does not fit.
class Reassembly {
 public:
  /// `transfers` must outlive it.
  Reassembly(const maze::Shape& shape, OpenTransfers& transfers);

  /// A transfer begins; those of one flow begin in the order in which they are sent.
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
    std::uint64_t packet = 0;  ///< its number in the transfer
    bool done = false;         ///< the transfer has everything, at all its nodes; remove it
  };
  /// A packet is where it belongs: the tgt of a unicast is the address of `node`. It came by
  /// `port`, or MazeRoutes::kHere from the node itself. Throws FabricFailure when it is not what
  /// should come.
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
  /// Throws the FabricFailure that says by which link the packet came, and `why` it should not.
  [[noreturn]] void reject(unsigned node, unsigned port, maze::Payload packet, Edge edge,
                           const std::string& why) const;

  [[nodiscard]] const maze::PacketLayout& layout() const { return layout_; }

 private:
  /// Transfers of the same type, QoS, src and tgt, in order.
  struct Flow {
    Slot first = kNoSlot;
    Slot last = kNoSlot;
  };
  /// That of a packet; of a multicast, whatever its tgt.
  [[nodiscard]] Flow& flow_of(maze::Payload packet) {
    const unsigned type = layout_.type(packet);
    // Between the data and the type stand QoS, src and tgt.
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
  maze::Payload qos_and_src_;  ///< these fields of a packet
  OpenTransfers& transfers_;
  std::vector<Flow> unicasts_;                   ///< by QoS, src and tgt, as packets have them
  std::array<std::vector<Flow>, 3> multicasts_;  ///< by type, QoS and src
};

}  // namespace kernbench::model::fabric

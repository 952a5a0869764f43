// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/fabric/clocked/open_transfers.hpp"
#include "model/fabric/clocked/packet_observer.hpp"
#include "model/fabric/clocked/reassembly.hpp"
#include "model/fabric/clocked/transfer_data.hpp"

namespace kernbench::model::fabric {

/// Both ends of all transfers over a clocked fabric (DESIGN section 6). A source cuts its transfers
/// into packets and sends them one after the other, in the order of submission within a QoS level.
/// Destinations check every packet and reassemble the transfers.
class TransferEndpoints {
 public:
  /// `observer` may be null and must outlive the object.
  TransferEndpoints(const maze::Shape& shape, PacketObserver* observer)
      : reassembly_(shape, transfers_), observer_(observer), nodes_(shape.nodes()) {}
  TransferEndpoints(const TransferEndpoints&) = delete;
  TransferEndpoints& operator=(const TransferEndpoints&) = delete;

  /// Registers a transfer of `packets` packets for `copies` nodes, to be started by begin().
  [[nodiscard]] Slot accept(const Transfer& transfer, std::uint64_t packets, unsigned copies);
  /// Starts a transfer.
  void begin(Slot slot);

  /// Returns the transfer whose packet the node has to send next at this level; kNoSlot for none.
  [[nodiscard]] Slot next(unsigned node, Qos qos) const {
    return nodes_[node][static_cast<unsigned>(qos)].first;
  }
  /// Returns the next packet of a transfer.
  [[nodiscard]] maze::Payload packet(Slot slot) const {
    const OpenTransfer& open = transfers_[slot];
    return open.header | packet_data(open.transfer.id, open.sent, reassembly_.flit_bits());
  }
  /// Records that the source has sent the next packet of a transfer with all its copies.
  void sent(Slot slot) {
    OpenTransfer& open = transfers_[slot];
    if (++open.sent != open.packets) return;
    nodes_[open.transfer.src][static_cast<unsigned>(open.transfer.qos)].first = open.next_at_source;
  }
  /// Hands a packet to its destination `node`. `port` is the input by which it arrived, or
  /// MazeRoutes::kHere if it came by port B. Throws FabricFailure for an unexpected packet.
  void deliver(unsigned node, unsigned port, maze::Payload packet, Edge edge);

  /// Returns the ids of the transfers that have completed, until the caller removes them.
  [[nodiscard]] std::vector<std::uint64_t>& done() { return done_; }

  [[nodiscard]] OpenTransfer& transfer(Slot slot) { return transfers_[slot]; }
  [[nodiscard]] const OpenTransfer& transfer(Slot slot) const { return transfers_[slot]; }
  [[nodiscard]] const Reassembly& reassembly() const { return reassembly_; }
  [[nodiscard]] PacketObserver* observer() const { return observer_; }
  /// Returns true when no transfer is in progress.
  [[nodiscard]] bool idle() const { return under_way_ == 0; }
  /// Describes up to five transfers in progress, for a message.
  [[nodiscard]] std::string what_waits() const;

 private:
  /// Transfers of one QoS that a node has not sent completely, in order
  /// (OpenTransfer::next_at_source).
  struct Source {
    Slot first = kNoSlot;
    Slot last = kNoSlot;
  };

  OpenTransfers transfers_;
  Reassembly reassembly_;
  PacketObserver* observer_;
  std::vector<std::array<Source, 2>> nodes_;  ///< by node and QoS
  std::size_t under_way_ = 0;                 ///< open transfers that have begun
  std::vector<std::uint64_t> done_;
};

}  // namespace kernbench::model::fabric

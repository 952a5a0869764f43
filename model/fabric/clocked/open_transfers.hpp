// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"
#include "model/fabric/clocked/maze_routes.hpp"
#include "model/fabric/seam/fabric.hpp"

namespace kernbench::model::fabric {

/// Index of a transfer in OpenTransfers.
using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = ~Slot{0};

/// A transfer that is not complete.
struct OpenTransfer {
  Transfer transfer;
  maze::Payload header = 0;  ///< packet fields common to all its packets, without data
  std::uint64_t packets = 0;
  std::uint64_t sent = 0;             ///< packets sent with all their copies
  std::uint64_t received = 0;         ///< packets received, for a unicast
  PortMask ports = 0;                 ///< outputs of the source that send its packets
  std::uint32_t nodes_left = 1;       ///< nodes that have not received all packets
  Slot next_at_source = kNoSlot;      ///< next transfer to send from the same source and QoS
  Slot next = kNoSlot;                ///< next transfer of the same flow; next free slot
  std::vector<std::uint64_t> copies;  ///< packets received by each node, for a multicast
};

/// All transfers that are not complete. A transfer keeps its slot until it is removed.
class OpenTransfers {
 public:
  /// Adds a transfer with no packet sent or received, and returns its slot.
  [[nodiscard]] Slot add(const Transfer& transfer, std::uint64_t packets) {
    if (free_ == kNoSlot) {
      free_ = static_cast<Slot>(slots_.size());
      slots_.emplace_back();
    }
    const Slot slot = free_;
    OpenTransfer& open = slots_[slot];
    free_ = open.next;
    open.transfer = transfer;
    open.packets = packets;
    open.sent = 0;
    open.received = 0;
    open.ports = 0;
    open.nodes_left = 1;
    open.next_at_source = kNoSlot;
    open.next = kNoSlot;
    open.copies.clear();
    return slot;
  }
  void remove(Slot slot) {
    slots_[slot].packets = 0;
    slots_[slot].next = free_;
    free_ = slot;
  }
  [[nodiscard]] OpenTransfer& operator[](Slot slot) { return slots_[slot]; }
  [[nodiscard]] const OpenTransfer& operator[](Slot slot) const { return slots_[slot]; }
  /// Returns the end of the slots ever used. Free slots have `packets` 0.
  [[nodiscard]] Slot end() const { return static_cast<Slot>(slots_.size()); }

 private:
  std::vector<OpenTransfer> slots_;
  Slot free_ = kNoSlot;  ///< head of the list of free slots
};

}  // namespace kernbench::model::fabric

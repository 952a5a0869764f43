#pragma once

#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"
#include "model/fabric/clocked/maze_routes.hpp"
#include "model/fabric/seam/fabric.hpp"

namespace kernbench::model::fabric {

/// Place of a transfer among those that are not complete.
using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = ~Slot{0};

/// A transfer that is not complete.
struct OpenTransfer {
  Transfer transfer;
  maze::Payload header = 0;  ///< its packets without their data
  std::uint64_t packets = 0;
  std::uint64_t sent = 0;             ///< packets that have left the source whole
  std::uint64_t received = 0;         ///< of a unicast
  PortMask ports = 0;                 ///< by which its packets leave the source
  std::uint32_t nodes_left = 1;       ///< that still miss packets
  Slot next_at_source = kNoSlot;      ///< the next one to be sent
  Slot next = kNoSlot;                ///< the next one whose packets look the same
  std::vector<std::uint64_t> copies;  ///< of a multicast: packets received, by node
};

/// All transfers that are not complete, each in a slot that stays its own until it is removed.
class OpenTransfers {
 public:
  /// `transfer` without any packet sent or received.
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
  /// Slots that have been in use; those that are not have no packets.
  [[nodiscard]] Slot end() const { return static_cast<Slot>(slots_.size()); }

 private:
  std::vector<OpenTransfer> slots_;
  Slot free_ = kNoSlot;  ///< the first one that nobody uses; its `next` is the next of them
};

}  // namespace kernbench::model::fabric

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/fabric/open_transfers.hpp"
#include "model/maze/packet_layout.hpp"

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
  void expect(Slot slot);

  struct Received {
    Slot slot = kNoSlot;
    std::uint64_t packet = 0;  ///< its number in the transfer
    bool done = false;         ///< the transfer has everything, at all its nodes; remove it
  };
  /// A packet is where it belongs; it came by `port`, or MazeRoutes::kHere from the node itself.
  /// Throws FabricFailure when it is not what should come.
  Received receive(unsigned node, unsigned port, maze::Payload packet, Edge edge);
  /// Throws the FabricFailure that says by which link the packet came, and `why` it should not.
  [[noreturn]] void reject(unsigned node, unsigned port, maze::Payload packet, Edge edge,
                           const std::string& why) const;

  /// The node that an address field names; one past the last for none.
  [[nodiscard]] unsigned node_of(unsigned address) const { return nodes_[address]; }
  [[nodiscard]] const maze::PacketLayout& layout() const { return layout_; }

 private:
  /// Transfers of the same type, QoS, src and tgt, in order.
  struct Flow {
    Slot first = kNoSlot;
    Slot last = kNoSlot;
  };
  [[nodiscard]] std::size_t flow_of(unsigned src, unsigned dst, TransferType type, Qos qos) const;

  maze::Shape shape_;
  maze::PacketLayout layout_;
  OpenTransfers& transfers_;
  std::vector<std::uint16_t> nodes_;  ///< by address
  std::vector<Flow> flows_;
};

}  // namespace kernbench::model::fabric

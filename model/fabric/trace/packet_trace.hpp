// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/id_map.hpp"
#include "maze/link_frame.hpp"
#include "model/engine/ring_queue.hpp"
#include "model/fabric/clocked/packet_observer.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::model::fabric {

/// A move of a packet or of one copy of a packet.
struct PacketStep {
  enum class Kind : std::uint8_t {
    Accepted,   ///< into its source by port A
    Injected,   ///< into the link at output `port`, by its ideal source
    Arrived,    ///< out of a link, by input `port`
    Queued,     ///< as Arrived, into the queue to be forwarded
    Forwarded,  ///< out of a queue, into the output stage and link, or port B, at output `port`
    Delivered,  ///< at a destination; at an ideal source without an earlier step
  };
  static constexpr std::uint32_t kNone = 0xffffffff;

  Edge edge = 0;
  std::uint32_t packet = 0;
  std::uint32_t before = kNone;  ///< earlier step of the same copy: index in TracedTransfer::steps
  std::uint16_t node = 0;
  std::uint8_t port = 0;  ///< 0 for Delivered
  Kind kind = Kind::Injected;

  /// Returns true when the packet enters a link.
  [[nodiscard]] bool enters() const { return kind == Kind::Injected || kind == Kind::Forwarded; }
  /// Returns true when the packet leaves a link.
  [[nodiscard]] bool leaves() const { return kind == Kind::Arrived || kind == Kind::Queued; }
  friend bool operator==(const PacketStep&, const PacketStep&) = default;
};

/// The history of a transfer.
struct TracedTransfer {
  Transfer transfer;
  common::SimTime submitted;
  Edge seen = 0;
  std::uint64_t packets = 0;
  std::uint64_t missing = 0;      ///< outstanding deliveries; 0: complete
  Edge last = 0;                  ///< edge of the latest delivery
  Edge behind_others = 0;         ///< edges its packets waited at the source for other transfers
  Edge ready = 0;                 ///< first edge at which its source could send its next packet
  std::vector<PacketStep> steps;  ///< in order of time; copies of a multicast branch
};

/// Follows every packet of a MAZE from its source to its destinations. Packets are identified by
/// their position in links and queues, which are FIFOs. At delivery the result is checked against
/// the contents of the packet as read by the nodes.
class PacketTrace final : public PacketObserver {
 public:
  /// Packets whose steps are kept. All packets are followed.
  enum class Detail : std::uint8_t { AllPackets, LastPackets };
  /// Largest number of packets in a traced transfer.
  static constexpr std::uint64_t kMaxPackets = 0xffffffff;

  explicit PacketTrace(const maze::Shape& shape, Detail detail = Detail::AllPackets);
  /// Makes a trace of transfers that another one has followed to their end.
  PacketTrace(const maze::Shape& shape, std::vector<TracedTransfer> transfers, Edge last_edge);

  /// Returns the transfers in the order in which the fabric saw them. Submitters may reuse ids, so
  /// the index here identifies a transfer.
  [[nodiscard]] std::span<const TracedTransfer> transfers() const { return transfers_; }
  [[nodiscard]] const topology::MazeLinks& links() const { return links_; }
  /// Returns the latest edge of any notification.
  [[nodiscard]] Edge last_edge() const { return last_edge_; }

  /// Throws std::length_error for more than kMaxPackets packets. All notifications throw
  /// std::logic_error when they contradict earlier ones.
  void on_begun(common::SimTime submitted, Edge seen, const Transfer& transfer,
                std::uint64_t packets, unsigned destinations) override;
  void on_accepted(Edge edge, unsigned node, Qos qos, std::uint64_t id,
                   std::uint64_t packet) override;
  void on_injected(Edge edge, unsigned node, unsigned port, std::uint64_t id,
                   std::uint64_t packet) override;
  void on_forwarded(Edge edge, unsigned node, unsigned from, Qos qos, unsigned port,
                    bool last) override;
  void on_arrived(Edge edge, unsigned node, unsigned port, Qos qos, bool queued,
                  bool ends) override;
  void on_delivered(Edge edge, unsigned node, std::uint64_t id, std::uint64_t packet) override;

 private:
  /// A copy of a packet in a link or a queue.
  struct Copy {
    std::uint32_t transfer = 0;
    std::uint32_t packet = 0;
    std::uint32_t step = PacketStep::kNone;  ///< last step of the copy
  };
  using Fifo = engine::RingQueue<Copy>;

  [[nodiscard]] Fifo& link_from(unsigned node, unsigned port) {
    return in_links_[std::size_t{node} * ports_ + port];
  }
  [[nodiscard]] Fifo& queue(unsigned node, unsigned port, Qos qos) {
    return queues_[(std::size_t{node} * ports_ + port) * 2 + static_cast<unsigned>(qos)];
  }
  /// Number of ports A and B.
  [[nodiscard]] unsigned user_port() const { return ports_ - 1; }
  [[nodiscard]] std::string port_name(unsigned port) const;
  [[nodiscard]] std::uint32_t find(Edge edge, unsigned node, std::uint64_t id);
  [[nodiscard]] std::uint32_t find_own(Edge edge, unsigned node, std::uint64_t id,
                                       std::uint64_t packet);
  [[nodiscard]] Copy moved(Copy copy, Edge edge, unsigned node, unsigned port,
                           PacketStep::Kind kind);
  void sent(TracedTransfer& transfer, Edge edge);

  topology::MazeLinks links_;
  Detail detail_;
  unsigned ports_;  ///< ports of a node, A or B included
  std::vector<TracedTransfer> transfers_;
  common::IdMap<std::uint32_t> latest_;  ///< index of the latest transfer with an id
  std::vector<Fifo> in_links_;           ///< by the sender's node and port, B included
  std::vector<Fifo> queues_;             ///< by node, input port, A included, and QoS
  std::vector<Edge> source_free_;        ///< edge after the last own packet, by node
  Copy arrived_;                         ///< copy that arrived last
  bool to_deliver_ = false;              ///< arrived_ is at a destination, to be delivered next
  Edge last_edge_ = 0;
};

}  // namespace kernbench::model::fabric

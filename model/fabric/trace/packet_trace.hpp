#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/id_map.hpp"
#include "maze/link_frame.hpp"
#include "model/engine/ring_queue.hpp"
#include "model/fabric/clocked/packet_observer.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::model::fabric {

/// A move of a packet, or of one copy of it.
struct PacketStep {
  enum class Kind : std::uint8_t {
    Injected,   ///< into the link at output `port`, by its source
    Arrived,    ///< out of a link, by input `port`
    Queued,     ///< the same, and goes on from there
    Forwarded,  ///< out of a queue, into the link at output `port`
    Delivered,  ///< at a node that it is for; without a step before it: at its own source
  };
  static constexpr std::uint32_t kNone = 0xffffffff;

  Edge edge = 0;
  std::uint32_t packet = 0;
  std::uint32_t before = kNone;  ///< of the same copy, by place among the transfer's steps
  std::uint16_t node = 0;
  std::uint8_t port = 0;  ///< 0 of Delivered
  Kind kind = Kind::Injected;

  /// Whether it enters a link.
  [[nodiscard]] bool enters() const { return kind == Kind::Injected || kind == Kind::Forwarded; }
  /// Whether it leaves one.
  [[nodiscard]] bool leaves() const { return kind == Kind::Arrived || kind == Kind::Queued; }
  friend bool operator==(const PacketStep&, const PacketStep&) = default;
};

/// What became of a transfer.
struct TracedTransfer {
  Transfer transfer;
  common::SimTime submitted;
  Edge seen = 0;
  std::uint64_t packets = 0;
  std::uint64_t missing = 0;  ///< deliveries that are to come; 0: it is done
  Edge last = 0;              ///< delivery, so far
  Edge behind_others = 0;     ///< edges for which its packets waited for other transfers to be sent
  Edge ready = 0;             ///< edge from which on its source could send its next packet
  std::vector<PacketStep> steps;  ///< in the order of time; copies of a multicast are branches
};

/// Follows every packet of a MAZE from its source to its end. It knows packets by their place:
/// links and queues are first in, first out. Where a packet is delivered it holds what it believes
/// against what the nodes have read in the packet.
class PacketTrace final : public PacketObserver {
 public:
  /// Of which packets steps are kept: all are followed.
  enum class Detail : std::uint8_t { AllPackets, LastPackets };
  /// Most packets of a transfer that can be traced.
  static constexpr std::uint64_t kMaxPackets = 0xffffffff;

  explicit PacketTrace(const maze::Shape& shape, Detail detail = Detail::AllPackets);

  /// In the order in which they were seen. A submitter may use an id again once it is free, so
  /// a transfer is known by its place here.
  [[nodiscard]] std::span<const TracedTransfer> transfers() const { return transfers_; }
  [[nodiscard]] const topology::MazeLinks& links() const { return links_; }
  /// Of which anything was told.
  [[nodiscard]] Edge last_edge() const { return last_edge_; }

  /// Throws std::logic_error, as do all below, for a move that cannot be after those before it, and
  /// std::length_error for more than kMaxPackets.
  void on_begun(common::SimTime submitted, Edge seen, const Transfer& transfer,
                std::uint64_t packets) override;
  void on_injected(Edge edge, unsigned node, unsigned port, std::uint64_t id,
                   std::uint64_t packet) override;
  void on_forwarded(Edge edge, unsigned node, unsigned from, Qos qos, unsigned port,
                    bool last) override;
  void on_arrived(Edge edge, unsigned node, unsigned port, Qos qos, bool queued) override;
  void on_delivered(Edge edge, unsigned node, std::uint64_t id, std::uint64_t packet) override;

 private:
  /// A copy of a packet in a link or a queue.
  struct Copy {
    std::uint32_t transfer = 0;
    std::uint32_t packet = 0;
    std::uint32_t step = PacketStep::kNone;  ///< its last
  };
  using Fifo = engine::RingQueue<Copy>;

  [[nodiscard]] Fifo& link_from(unsigned node, unsigned port) {
    return in_links_[std::size_t{node} * links_.ports() + port];
  }
  [[nodiscard]] Fifo& queue(unsigned node, unsigned port, Qos qos) {
    return queues_[(std::size_t{node} * links_.ports() + port) * 2 + static_cast<unsigned>(qos)];
  }
  [[nodiscard]] std::uint32_t find(Edge edge, unsigned node, std::uint64_t id);
  [[nodiscard]] Copy moved(Copy copy, Edge edge, unsigned node, unsigned port,
                           PacketStep::Kind kind);
  void sent(TracedTransfer& transfer, Edge edge);
  [[nodiscard]] std::uint64_t destinations(const Transfer& transfer) const;

  topology::MazeLinks links_;
  Detail detail_;
  std::vector<TracedTransfer> transfers_;
  common::IdMap<std::uint32_t> latest_;  ///< place in transfers_ of the last one with an id
  std::vector<Fifo> in_links_;           ///< by the sender's node and port
  std::vector<Fifo> queues_;             ///< by node, input port and QoS
  std::vector<Edge> source_free_;        ///< by node: edge after its last own packet
  Copy arrived_;                         ///< that has come to a link's end
  bool to_deliver_ = false;              ///< arrived_ is where it should be
  Edge last_edge_ = 0;
};

}  // namespace kernbench::model::fabric

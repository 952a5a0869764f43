// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/id_map.hpp"
#include "maze/link_frame.hpp"
#include "model/engine/ring_queue.hpp"
#include "model/fabric/clocked/packet_observer.hpp"
#include "model/fabric/trace/packet_history.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::model::fabric {

/// Follows every packet of a MAZE from its source to its destinations. Packets are identified by
/// their position in links and queues, which are FIFOs. At delivery the result is checked against
/// the contents of the packet as read by the nodes.
class PacketTrace final : public PacketHistory, public PacketObserver {
 public:
  /// Packets whose steps are kept. All packets are followed.
  enum class Detail : std::uint8_t { AllPackets, LastPackets };

  explicit PacketTrace(const maze::Shape& shape, Detail detail = Detail::AllPackets);
  /// Makes a trace of transfers that another one has followed to their end.
  PacketTrace(const maze::Shape& shape, std::vector<TracedTransfer> transfers, Edge last_edge);

  [[nodiscard]] const topology::MazeLinks& links() const { return links_; }

  [[nodiscard]] std::size_t node_count() const override { return links_.nodes(); }
  [[nodiscard]] std::string node_name(std::uint32_t node) const override {
    return links_.coordinates(node);
  }
  [[nodiscard]] std::size_t link_count() const override { return links_.links().size(); }
  [[nodiscard]] std::string link_name(std::size_t link) const override {
    return links_.link_name(links_.links()[link]);
  }
  [[nodiscard]] std::optional<std::size_t> link_of(const PacketStep& step) const override {
    if (step.port == links_.ports()) return std::nullopt;
    return std::size_t{step.node} * links_.ports() + step.port;
  }
  [[nodiscard]] std::string_view unit() const override { return "packet"; }

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
  unsigned ports_;                       ///< ports of a node, A or B included
  common::IdMap<std::uint32_t> latest_;  ///< index of the latest transfer with an id
  std::vector<Fifo> in_links_;           ///< by the sender's node and port, B included
  std::vector<Fifo> queues_;             ///< by node, input port, A included, and QoS
  std::vector<Edge> source_free_;        ///< edge after the last own packet, by node
  Copy arrived_;                         ///< copy that arrived last
  bool to_deliver_ = false;              ///< arrived_ is at a destination, to be delivered next
};

}  // namespace kernbench::model::fabric

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "maze/link_frame.hpp"
#include "maze/packet_layout.hpp"
#include "sim/harness/extension.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// Accounts for every packet, with only the link map as its oracle. A packet accepted at one end of
/// a link must arrive at the other end once, unchanged and in order. It must be offered there
/// exactly `depth` cycles later, unless older packets of the link still wait.
///
/// Kinds: loss, reorder, duplicate, misroute, corruption, spurious, late_valid,
/// early_valid, overflow, undelivered.
class Scoreboard : public Extension {
 public:
  Scoreboard(const maze::Shape& shape, const topology::MazeLinks& links);

  void on_cycle(const CycleView& view) override;
  void after(const RunEnd& end) override;
  [[nodiscard]] std::uint64_t checks() const override { return delivered_; }

  /// Packets that arrived as expected.
  [[nodiscard]] std::uint64_t delivered() const { return delivered_; }
  /// Packets accepted and not yet delivered.
  [[nodiscard]] std::uint64_t in_flight() const { return in_flight_; }
  /// Packets delivered over the link that ends at (port, node), resets included.
  [[nodiscard]] std::uint64_t delivered_to(unsigned port, unsigned node) const {
    return queues_[port].head[node] - queues_[port].discarded[node];
  }
  /// Mean cycles from acceptance to delivery, by Little's law; 0 when nothing was delivered.
  [[nodiscard]] double mean_latency() const;

 private:
  /// The links that end at one input port. They have the same depth and one queue per receiving
  /// node.
  struct PortQueues {
    unsigned depth = 0;
    unsigned mask = 0;                      ///< slots per queue - 1
    std::vector<std::uint16_t> source;      ///< [node] sending node of the link
    std::vector<std::uint16_t> sink;        ///< [source node] receiving node
    std::vector<maze::Payload> slots;       ///< [node][slot]
    std::vector<std::uint32_t> head, tail;  ///< [node] running counts; difference = packets held
    std::vector<std::uint32_t> discarded;   ///< [node] packets in `head` that a reset discarded
    std::vector<std::uint64_t>
        in_transit;                  ///< [depth][word] links that accepted, last `depth` cycles
    std::vector<std::uint64_t> due;  ///< [bit][word] bit-sliced number of packets to offer

    [[nodiscard]] maze::Payload& slot(std::size_t node, std::uint32_t count) {
      return slots[node * (mask + 1) + (count & mask)];
    }
  };
  static constexpr unsigned kDueBits = 4;  // a link holds at most 2*7 packets

  void discard_all();
  /// Queues the accepted packets and computes the inputs, `expected`, at which a packet is due.
  void accept(unsigned port, const CycleView& view, std::uint64_t* expected);
  void check_presence(unsigned port, const CycleView& view, const std::uint64_t* expected);
  void deliver(unsigned port, const CycleView& view);
  /// Reports the kind of error of a packet that is not the expected one.
  void explain(unsigned port, unsigned node, maze::Payload got, std::uint64_t cycle);
  /// Turns the loss of a packet that arrived after all into a reorder. Returns false when the
  /// packet was not reported as lost.
  [[nodiscard]] bool take_skipped(unsigned port, unsigned node, maze::Payload got);
  /// Returns the name of the link that currently holds this packet, or "".
  [[nodiscard]] std::string owner_of(maze::Payload got) const;
  [[nodiscard]] std::string packet_text(maze::Payload payload) const;
  void report(const std::string& kind, std::uint64_t cycle, unsigned port, unsigned node,
              const std::string& what);

  /// A packet overtaken by younger ones: reported as lost, or as reordered if it arrives later.
  struct Skipped {
    unsigned port, node;
    maze::Payload packet;
  };

  maze::Shape shape_;
  const topology::MazeLinks& links_;
  maze::PacketLayout layout_;
  std::vector<PortQueues> queues_;
  std::vector<Skipped> skipped_;
  maze::BitPlane presence_reported_;
  bool holds_packets_ = false;
  std::uint64_t delivered_ = 0;
  std::uint64_t in_flight_ = 0;
  std::uint64_t in_flight_cycles_ = 0;
};

}  // namespace kernbench::sim

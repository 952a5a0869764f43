// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/fabric/seam/fabric.hpp"

namespace kernbench::model::fabric {

/// A move of a packet or of one copy of a packet; over routers, of a flit.
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
  std::uint8_t vc = 0;  ///< virtual channel of a flit

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

/// The history of the transfers of a fabric and of their packets, with the names of its places.
class PacketHistory {
 public:
  /// Largest number of packets in a traced transfer.
  static constexpr std::uint64_t kMaxPackets = 0xffffffff;

  virtual ~PacketHistory() = default;

  /// Returns the transfers in the order in which the fabric saw them. Submitters may reuse ids, so
  /// the index here identifies a transfer.
  [[nodiscard]] std::span<const TracedTransfer> transfers() const { return transfers_; }
  /// Returns the latest edge of any notification.
  [[nodiscard]] Edge last_edge() const { return last_edge_; }

  [[nodiscard]] virtual std::size_t node_count() const = 0;
  [[nodiscard]] virtual std::string node_name(std::uint32_t node) const = 0;
  [[nodiscard]] virtual std::size_t link_count() const = 0;
  [[nodiscard]] virtual std::string link_name(std::size_t link) const = 0;
  /// Returns the link that a packet enters with a step; nothing for port B.
  [[nodiscard]] virtual std::optional<std::size_t> link_of(const PacketStep& step) const = 0;
  /// Returns what crosses a link in a cycle: "packet" or "flit".
  [[nodiscard]] virtual std::string_view unit() const = 0;
  /// Returns JSON members that decode what enters a link with a step, each behind a comma.
  [[nodiscard]] virtual std::string fields_of(const TracedTransfer& /*transfer*/,
                                              const PacketStep& /*step*/) const {
    return {};
  }

 protected:
  std::vector<TracedTransfer> transfers_;
  Edge last_edge_ = 0;
};

}  // namespace kernbench::model::fabric

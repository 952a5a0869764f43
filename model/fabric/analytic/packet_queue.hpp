// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "model/fabric/seam/fabric.hpp"
#include "model/fabric/seam/fabric_clock.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::model::fabric {

using LegId = std::uint32_t;
using QueueId = std::uint32_t;

/// A transfer that is not complete.
struct Flight {
  Transfer transfer;
  std::uint64_t packets = 0;
  std::uint32_t unfinished_legs = 0;
  Edge last_move = 0;  ///< latest edge known at which a packet moves
};

/// A leg at the next node, and the queue in which its packets arrive there.
struct NextLeg {
  LegId leg = 0;
  QueueId queue = 0;
};

/// An output of a leg.
struct Output {
  std::uint32_t link = 0;
  std::uint32_t vc = 0;
  bool ends = false;            ///< the packets end at the next node
  std::uint64_t sent = 0;       ///< packets that have left by it
  Edge free_at = 0;             ///< first edge at which the next packet may leave by it
  bool is_begun = false;        ///< the next legs exist
  NextLeg next{};               ///< the leg at the next node
  std::vector<NextLeg> more{};  ///< the other legs there: with endless queues one for each output
};

/// The part of a transfer that one node carries out.
struct Leg {
  std::uint32_t flight = 0;
  std::uint32_t node = 0;
  std::uint32_t target = 0;              ///< destination of these packets; see Transfer::dst
  std::optional<topology::zoo::Hop> in;  ///< channel from the previous node; none at the source
  std::vector<Output> outputs;
  std::uint64_t left = 0;  ///< packets that have left by all outputs
};

/// Packets of a leg that arrive one at each edge from `first` on.
struct Segment {
  LegId leg = 0;
  std::uint64_t packets = 0;
  Edge first = 0;
};

/// Packets that wait at a node, in the order of their arrival. Some may still be in the stages of
/// the link before it. Only those of the first segment may leave.
///
/// A finite queue has room for R packets, those in the stages of the link before it included. When
/// a quantum begins to leave it is known at which edges that is seen at the start of the link.
struct PacketQueue {
  /// Packets that make room, one at each edge from `start` on.
  struct Release {
    Edge start = 0;
    std::uint64_t packets = 0;
  };

  std::uint32_t turn = 0;    ///< position in the round-robins of the node
  std::uint32_t before = 0;  ///< link that ends in the queue
  bool is_source = false;
  Qos qos = Qos::Low;
  std::deque<Segment> segments{};
  Edge head_from = 0;              ///< first edge at which the first segment may leave
  std::uint64_t held = 0;          ///< packets that entered and whose room is not free yet
  std::deque<Release> releases{};  ///< in ascending order

  /// Returns the packets that have made room at edge `at` or before.
  [[nodiscard]] std::uint64_t released_by(Edge at) const {
    std::uint64_t packets = 0;
    for (const Release& release : releases) {
      if (release.start > at) break;
      packets += std::min<std::uint64_t>(release.packets, at - release.start + 1);
    }
    return packets;
  }
  /// Forgets the releases that are over.
  void settle(Edge at) {
    while (!releases.empty() && releases.front().start + releases.front().packets <= at + 1) {
      held -= releases.front().packets;
      releases.pop_front();
    }
  }
};

}  // namespace kernbench::model::fabric

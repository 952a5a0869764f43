// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "maze/link_frame.hpp"

namespace kernbench::sim {

/// A time that a packet spends at a place, a node or a link.
struct PacketStay {
  std::size_t place = 0;
  maze::Payload packet = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  friend bool operator==(const PacketStay&, const PacketStay&) = default;
};

/// Follows packets from place to place by what is seen at ports, right or wrong: one that is lost
/// stays where it was seen last. Packets of equal bits leave a place in their order.
class PacketLog {
 public:
  /// Most bits in which a packet that leaves a node is taken for another that was in it.
  static constexpr int kChangedBits = 4;

  /// Notes that a packet is at the place from this cycle on.
  void enter(std::size_t place, maze::Payload packet, std::uint64_t cycle);
  /// Notes that a packet is at the place in this cycle, before it enters.
  void wait(std::size_t place, maze::Payload packet, std::uint64_t cycle);
  /// Notes that a packet, or a copy of it, was at the place up to `last`. Returns false if none is
  /// known.
  bool leave(std::size_t place, maze::Payload packet, std::uint64_t last);
  /// Notes that a packet has changed: the one at the place that differs from this one in the fewest
  /// bits, at most `most` of them, was there up to `last`. Of several it is the oldest.
  void leave_nearest(std::size_t place, maze::Payload packet, int most, std::uint64_t last);
  /// Empties all places from this cycle on.
  void clear(std::uint64_t cycle);
  /// Forgets what ended before this cycle.
  void forget(std::uint64_t before);

  /// Returns the stays between two cycles, cut off there, by their first cycle.
  [[nodiscard]] std::vector<PacketStay> between(std::uint64_t first, std::uint64_t last) const;

 private:
  struct Stay {
    std::uint64_t first = 0;
    std::uint64_t last = 0;  ///< not known while it is open
    bool open = false;
    bool waiting = false;
  };
  std::map<std::pair<std::size_t, maze::Payload>, std::vector<Stay>> stays_;  ///< by first cycle
};

}  // namespace kernbench::sim

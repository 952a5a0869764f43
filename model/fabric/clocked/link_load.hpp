// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/fabric/clocked/stepped_network.hpp"

namespace kernbench::model::fabric {

/// Packets per link in windows of equal length, from time 0.
struct LinkWindows {
  Edge cycles = 16;                                 ///< length of a window
  std::vector<std::vector<std::uint64_t>> packets;  ///< [window][link]

  /// Makes windows of twice the length by joining pairs of them.
  void join_pairs();
  /// Adds the packets of another run. The windows get the greater of both lengths; their quotient
  /// must be a power of two.
  void add(LinkWindows other);
};

/// Samples how many packets enter each link over time, in at most kMostWindows windows: when a run
/// needs more, their length doubles. Costs a comparison per cycle.
class LinkLoad {
 public:
  static constexpr std::size_t kMostWindows = 40;

  explicit LinkLoad(std::size_t links) : counted_(links) {}

  /// Announces the next edge, before its packets move. Edges must ascend.
  void begin(Edge edge, const SteppedNetwork& network) {
    if (edge >= end_) open_window(edge, network);
  }
  /// Returns the windows up to the last packet.
  [[nodiscard]] LinkWindows windows(const SteppedNetwork& network) const;

 private:
  void open_window(Edge edge, const SteppedNetwork& network);
  /// Adds the packets that were not yet counted to the current window.
  void count(const SteppedNetwork& network);

  std::vector<std::uint64_t> counted_;  ///< packets per link in all windows
  LinkWindows windows_;
  Edge end_ = windows_.cycles;  ///< first edge behind the current window
};

}  // namespace kernbench::model::fabric

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"
#include "model/fabric/clocked/cycle_maze.hpp"

namespace kernbench::model::fabric {

/// Packets per link in windows of equal length, from time 0.
struct LinkWindows {
  Edge cycles = 16;                                 ///< length of a window
  std::vector<std::vector<std::uint64_t>> packets;  ///< [window][node * ports + output port]

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

  explicit LinkLoad(const maze::Shape& shape) : shape_(shape), counted_(shape.links()) {}

  /// Announces the next edge, before its packets move. Edges must ascend.
  void begin(Edge edge, const CycleMaze& maze) {
    if (edge >= end_) open_window(edge, maze);
  }
  /// Returns the windows up to the last packet.
  [[nodiscard]] LinkWindows windows(const CycleMaze& maze) const;

 private:
  void open_window(Edge edge, const CycleMaze& maze);
  /// Adds the packets that were not yet counted to the current window.
  void count(const CycleMaze& maze);

  maze::Shape shape_;
  std::vector<std::uint64_t> counted_;  ///< packets per link in all windows
  LinkWindows windows_;
  Edge end_ = windows_.cycles;  ///< first edge behind the current window
};

}  // namespace kernbench::model::fabric

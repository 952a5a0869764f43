// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "maze/link_frame.hpp"
#include "sim/harness/extension.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// Fails at the end of a complete run for every link in use that delivered nothing. Kind:
/// idle_link.
class Delivery : public Extension {
 public:
  /// `used` has the bit of each link in use set, by output port and sending node.
  Delivery(const maze::Shape& shape, const topology::MazeLinks& links, maze::BitPlane used);

  void on_cycle(const CycleView& view) override;
  void after(const RunEnd& end) override;
  /// Observed cycles.
  [[nodiscard]] std::uint64_t checks() const override { return cycles_; }

 private:
  const topology::MazeLinks& links_;
  maze::BitPlane used_;
  maze::BitPlane seen_;  ///< links that delivered, by input port and receiving node
  std::uint64_t cycles_ = 0;
};

}  // namespace kernbench::sim

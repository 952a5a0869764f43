// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "maze/link_frame.hpp"
#include "sim/harness/extension.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// Fails at the end of a complete run for every link that delivered nothing although the pattern
/// sent on it after the last reset. Kind: idle_link. A link of the pattern that delivered nothing
/// because nothing was sent is not an error of the fabric: unreached_text() names it.
class Delivery : public Extension {
 public:
  /// By output port and sending node, `used` has the links in use, and `reached` those on which the
  /// pattern started a packet since the last reset. `reached` must outlive the checker.
  Delivery(const maze::Shape& shape, const topology::MazeLinks& links, maze::BitPlane used,
           const maze::BitPlane& reached);

  void on_cycle(const CycleView& view) override;
  void after(const RunEnd& end) override;
  /// Observed cycles.
  [[nodiscard]] std::uint64_t checks() const override { return cycles_; }
  /// Returns how many links in use delivered nothing because nothing was sent on them, with the
  /// first of them; empty when there is none, or when the run is not complete.
  [[nodiscard]] const std::string& unreached_text() const { return unreached_; }

 private:
  const topology::MazeLinks& links_;
  maze::BitPlane used_;
  const maze::BitPlane& reached_;
  maze::BitPlane seen_;  ///< links that delivered, by input port and receiving node
  std::uint64_t cycles_ = 0;
  std::string unreached_;
};

}  // namespace kernbench::sim

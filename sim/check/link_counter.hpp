// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/harness/extension.hpp"
#include "sim/harness/plane_counter.hpp"

namespace kernbench::sim {

/// Counts, per link, delivered packets and the cycles in which a packet waited at the receiver, and
/// measures the longest of these stalls.
class LinkCounter : public Extension {
 public:
  explicit LinkCounter(const maze::Shape& shape);

  void on_cycle(const CycleView& view) override {
    count(view.cycle, view.observed->in_valid, *view.sink_fired);
  }
  /// Counts one cycle, with the packets that are offered to the receivers and those that they take.
  void count(std::uint64_t cycle, const maze::BitPlane& offered, const maze::BitPlane& taken);
  void after(const RunEnd& end) override;

  /// Delivered packets, [port*nodes + receiving node].
  [[nodiscard]] const std::vector<std::uint64_t>& packets() { return packets_.totals(); }
  /// Cycles in which the receiver stalled, [port*nodes + receiving node].
  [[nodiscard]] const std::vector<std::uint64_t>& stalls() { return stalls_.totals(); }
  /// Cycles of the longest stall, [port*nodes + receiving node].
  [[nodiscard]] const std::vector<std::uint64_t>& longest_stalls() const { return longest_; }

 private:
  void follow(std::size_t word, std::uint64_t stalled, std::uint64_t cycle);

  maze::Shape shape_;
  maze::BitPlane stalled_;            ///< in the last cycle
  std::vector<std::uint64_t> since_;  ///< cycle in which the present stall began
  std::vector<std::uint64_t> longest_;
  PlaneCounter packets_;
  PlaneCounter stalls_;
};

}  // namespace kernbench::sim

#pragma once

#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/harness/extension.hpp"
#include "sim/harness/plane_counter.hpp"

namespace kernbench::sim {

/// Counts, per link, delivered packets and the cycles in which a packet waited at the receiver.
class LinkCounter : public Extension {
 public:
  explicit LinkCounter(const maze::Shape& shape);

  void on_cycle(const CycleView& view) override;

  /// Delivered packets, [port*nodes + receiving node].
  [[nodiscard]] const std::vector<std::uint64_t>& packets() { return packets_.totals(); }
  /// Cycles in which the receiver stalled, [port*nodes + receiving node].
  [[nodiscard]] const std::vector<std::uint64_t>& stalls() { return stalls_.totals(); }

 private:
  maze::BitPlane stalled_;
  PlaneCounter packets_;
  PlaneCounter stalls_;
};

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/harness/extension.hpp"
#include "sim/harness/ports.hpp"

namespace kernbench::sim {

/// Finds stuck ports. One is stuck when it had a packet on offer throughout a window of `limit`
/// cycles and no packet moved there. `limit` must exceed the longest stall that the run's
/// receivers can cause. Kinds: source_stuck, sink_stuck.
class Watchdog : public Extension {
 public:
  Watchdog(const Ports& ports, std::uint64_t limit);

  void on_cycle(const CycleView& view) override;
  /// Completed windows.
  [[nodiscard]] std::uint64_t checks() const override { return windows_; }

 private:
  /// The sources, or the sinks, in the current window.
  struct End {
    const char* kind;
    maze::BitPlane waiting;  ///< ports with a packet on offer and no movement so far
  };
  void watch(End& end, const maze::BitPlane& offered, const maze::BitPlane& fired);
  void start_window();
  void report_stuck(const CycleView& view, const End& end, bool at_source);

  Ports ports_;
  std::uint64_t limit_;
  std::uint64_t age_ = 0;
  std::uint64_t windows_ = 0;
  End source_, sink_;
};

}  // namespace kernbench::sim

#pragma once

#include <cstdint>

#include "sim/harness/extension.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// Finds links that stopped moving: over a whole window of `limit` cycles the source offered a
/// packet, or the sink was offered one, and nothing moved at that end. `limit` must exceed the
/// longest stall that the run's receivers may make. Kinds: source_stuck, sink_stuck.
class Watchdog : public Extension {
 public:
  Watchdog(const maze::Shape& shape, const topology::MazeLinks& links, std::uint64_t limit);

  void on_cycle(const CycleView& view) override;
  [[nodiscard]] std::uint64_t checks() const override { return windows_; }

 private:
  /// One end of all links over the window so far.
  struct End {
    const char* kind;
    maze::BitPlane waiting;  ///< offered in every cycle of the window and never moved
  };
  void watch(End& end, const maze::BitPlane& offered, const maze::BitPlane& fired);
  void start_window();
  void report_stuck(const CycleView& view, const End& end, bool at_source);

  maze::Shape shape_;
  const topology::MazeLinks& links_;
  std::uint64_t limit_;
  std::uint64_t age_ = 0;
  std::uint64_t windows_ = 0;
  End source_, sink_;
};

}  // namespace kernbench::sim

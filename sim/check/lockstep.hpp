// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "maze/packet_layout.hpp"
#include "maze/topo_model.hpp"
#include "sim/harness/extension.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// Runs the cycle reference beside the fabric and compares every valid, every ready and every
/// offered payload in every cycle, resets included. Kinds: valid, ready, payload.
class Lockstep : public Extension {
 public:
  Lockstep(const maze::Shape& shape, const topology::MazeLinks& links);

  void on_cycle(const CycleView& view) override;
  /// Link comparisons.
  [[nodiscard]] std::uint64_t checks() const override { return compared_; }
  /// The reference. After on_cycle() it has been clocked, except in reset.
  [[nodiscard]] const maze::TopoModel& reference() const { return reference_; }

 private:
  enum class Side { Source, Sink };
  void compare_plane(const CycleView& view, const char* kind, Side side,
                     const maze::BitPlane& expected, const maze::BitPlane& got);
  void compare_payloads(const CycleView& view);
  void report(const CycleView& view, const char* kind, Side side, unsigned port, unsigned node,
              const std::string& what);

  maze::Shape shape_;
  const topology::MazeLinks& links_;
  maze::PacketLayout layout_;
  maze::TopoModel reference_;
  maze::TopoOutputs expected_;
  std::uint64_t compared_ = 0;
};

}  // namespace kernbench::sim

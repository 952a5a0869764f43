// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "maze/link_frame.hpp"
#include "maze/topo_model.hpp"
#include "sim/dut/maze_dut.hpp"
#include "sim/failure.hpp"
#include "sim/harness/cycle_view.hpp"

namespace kernbench::sim {

/// Compares one link with a reference of its own in every cycle, for the waveform.
class LinkWatch {
 public:
  LinkWatch(const maze::Shape& shape, const LinkEnd& source);

  /// Returns the values of this cycle. Must be called in every cycle.
  [[nodiscard]] LinkNote note(const CycleView& view);

 private:
  LinkEnd source_;
  unsigned sink_;  ///< receiving node
  maze::TopoModel reference_;
  maze::TopoOutputs expected_;
};

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "maze/link_frame.hpp"
#include "maze/topo_model.hpp"
#include "sim/dut/maze_dut.hpp"
#include "sim/failure.hpp"
#include "sim/harness/extension.hpp"

namespace kernbench::sim {

/// Compares one link with a reference of its own in every cycle and writes both into the waveform.
class LinkWatch final : public Extension {
 public:
  LinkWatch(MazeDut& dut, const LinkEnd& source);

  void on_cycle(const CycleView& view) override;

 private:
  MazeDut& dut_;
  LinkEnd source_;
  unsigned sink_;  ///< receiving node
  maze::TopoModel reference_;
  maze::TopoOutputs expected_;
};

}  // namespace kernbench::sim

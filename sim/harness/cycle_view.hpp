// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "maze/link_frame.hpp"
#include "sim/dut/dut.hpp"
#include "sim/stimulus/reset_plan.hpp"

namespace kernbench::sim {

struct NocInputs;
struct NocOutputs;

/// One clock cycle as shown to observers, sampled just before the rising edge. The signals are
/// those of the device that runs: a MAZE, or a network of any topology; the others are null.
struct CycleView {
  std::uint64_t cycle = 0;  ///< number of the cycle; 0 is the first one, in reset
  bool in_reset = false;    ///< rst_n is 0 in this cycle, or in a part of it: no packet moves
  bool draining = false;    ///< the stimulus starts no new packets and every receiver is ready

  const maze::TopoInputs* intended = nullptr;  ///< inputs as the stimulus intended them
  const maze::TopoInputs* driven =
      nullptr;  ///< inputs of the fabric, changed by a fault of the stimulus
  const maze::TopoOutputs* observed = nullptr;   ///< outputs of the fabric
  const maze::BitPlane* source_fired = nullptr;  ///< intended valid and observed ready
  const maze::BitPlane* sink_fired = nullptr;    ///< observed valid and intended ready
  ResetCycle reset{};  ///< with in_reset: the part of the cycle in which rst_n is 0
  /// Signals between the nodes and the links of a network whose model shows them, or null.
  const LinkSignals* links = nullptr;

  // A network of any topology:
  const NocInputs* noc_inputs = nullptr;  ///< inputs as the stimulus intended them
  const NocOutputs* noc_outputs = nullptr;
};

}  // namespace kernbench::sim

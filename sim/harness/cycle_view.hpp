#pragma once

#include <cstdint>

#include "maze/link_frame.hpp"

namespace kernbench::sim {

/// Everything an observer may know about one clock cycle, sampled just before the rising edge.
struct CycleView {
  std::uint64_t cycle = 0;  ///< 0 is the first cycle of the run, in reset
  bool in_reset = false;    ///< rst_n is 0: nothing fires
  bool draining = false;    ///< the driver starts no new packets and every receiver is ready

  const maze::TopoInputs* intended = nullptr;    ///< what the driver meant to send
  const maze::TopoInputs* driven = nullptr;      ///< what reached the fabric's pins
  const maze::TopoOutputs* observed = nullptr;   ///< what came back from the fabric
  const maze::BitPlane* source_fired = nullptr;  ///< intended valid and observed ready
  const maze::BitPlane* sink_fired = nullptr;    ///< observed valid and intended ready
};

}  // namespace kernbench::sim

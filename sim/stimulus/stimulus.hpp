// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "maze/link_frame.hpp"

namespace kernbench::sim {

enum class Phase {
  Reset,  ///< no packet is offered; of the receivers all, none or random ones are ready
  Run,    ///< packets start, and the back-pressure sets the receivers' ready
  Drain,  ///< offered packets stay, no packet starts, every receiver is ready
};

/// Drives all ports of a design.
template <class Feedback, class Inputs>
class StimulusOf {
 public:
  StimulusOf() = default;
  StimulusOf(const StimulusOf&) = delete;
  StimulusOf& operator=(const StimulusOf&) = delete;
  virtual ~StimulusOf() = default;

  /// Sets the inputs of one cycle. Must be called once per cycle, in ascending order and always
  /// with the same `inputs`: payloads of packets that are still offered are not written again.
  /// `before` is what the design did in the previous cycle.
  virtual void drive(std::uint64_t cycle, Phase phase, const Feedback& before, Inputs& inputs) = 0;
  /// True when no further packet will start. The last ones may still be offered.
  [[nodiscard]] virtual bool exhausted() const = 0;
};

/// Drives a MAZE. Holds valid and payload of each packet until the design accepts it. Sees the
/// ports whose packet was accepted in the previous cycle.
using Stimulus = StimulusOf<maze::BitPlane, maze::TopoInputs>;

}  // namespace kernbench::sim

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

/// Drives all ports of a design. Holds valid and payload of each packet until the design accepts
/// it.
class Stimulus {
 public:
  Stimulus() = default;
  Stimulus(const Stimulus&) = delete;
  Stimulus& operator=(const Stimulus&) = delete;
  virtual ~Stimulus() = default;

  /// Sets the inputs of one cycle. Must be called once per cycle, in ascending order and always
  /// with the same `inputs`: payloads of packets that are still offered are not written again.
  /// `source_fired` are the ports whose packet the design accepted in the previous cycle.
  virtual void drive(std::uint64_t cycle, Phase phase, const maze::BitPlane& source_fired,
                     maze::TopoInputs& inputs) = 0;
  /// True when no further packet will start. The last ones may still be offered.
  [[nodiscard]] virtual bool exhausted() const = 0;
};

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/stimulus/script.hpp"

namespace kernbench::sim {

/// Writes down what another stimulus does, while it drives a design.
class ScriptRecorder final : public Stimulus {
 public:
  /// Records the packets from `source` and the stalls of `sink` or, if they are null, of all ports.
  ScriptRecorder(Stimulus& own, const maze::Shape& shape, unsigned ports, const LinkEnd* source,
                 const LinkEnd* sink);

  void drive(std::uint64_t cycle, Phase phase, const maze::BitPlane& source_fired,
             maze::TopoInputs& inputs) override;
  [[nodiscard]] bool exhausted() const override { return own_.exhausted(); }
  /// Returns the script so far, with the given resets.
  [[nodiscard]] Script script(const std::vector<ResetEvent>& resets) const;

 private:
  void record_packets(const maze::BitPlane& source_fired, const maze::TopoInputs& inputs);
  void record_stalls(const maze::TopoInputs& inputs);

  Stimulus& own_;
  maze::Shape shape_;
  unsigned ports_;
  const LinkEnd* source_;
  const LinkEnd* sink_;
  Script script_;
  std::uint64_t run_ = 0;
  maze::BitPlane offered_;                 ///< in the last cycle
  maze::BitPlane stalled_;                 ///< in the last cycle
  std::vector<std::uint64_t> stall_from_;  ///< by port, then node
};

}  // namespace kernbench::sim

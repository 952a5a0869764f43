// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/failure.hpp"
#include "sim/stimulus/reset_plan.hpp"
#include "sim/stimulus/stimulus.hpp"

namespace kernbench::sim {

/// A packet that a port offers from run cycle `at` on, when those before it have been accepted.
struct ScriptPacket {
  std::uint64_t at = 0;
  LinkEnd from;
  maze::Payload packet = 0;
  friend bool operator==(const ScriptPacket&, const ScriptPacket&) = default;
};

/// Run cycles in which a receiver is not ready.
struct ScriptStall {
  std::uint64_t first = 0;
  std::uint64_t end = 0;  ///< first cycle in which it is ready again
  LinkEnd to;
  friend bool operator==(const ScriptStall&, const ScriptStall&) = default;
};

/// The stimulus of a case, packet by packet: what a shrinker takes away from. Other ports offer
/// nothing and are ready.
struct Script {
  std::uint64_t cycles = 0;           ///< run cycles
  std::vector<ScriptPacket> packets;  ///< by `at`
  std::vector<ScriptStall> stalls;    ///< by `first`
  std::vector<ResetEvent> resets;     ///< by `at`
  friend bool operator==(const Script&, const Script&) = default;
};

/// Drives a design by a script.
class ScriptStimulus final : public Stimulus {
 public:
  /// `ports` is the number of ports at each node. `script` must outlive this object.
  ScriptStimulus(const Script& script, const maze::Shape& shape, unsigned ports);

  void drive(std::uint64_t cycle, Phase phase, const maze::BitPlane& source_fired,
             maze::TopoInputs& inputs) override;
  [[nodiscard]] bool exhausted() const override { return false; }

 private:
  const Script& script_;
  std::uint64_t run_ = 0;
  std::size_t next_ = 0;  ///< packet
  std::size_t next_stall_ = 0;
  std::vector<ScriptStall> running_;                ///< stalls
  std::vector<std::deque<maze::Payload>> waiting_;  ///< by port, then node
  maze::Shape shape_;
  maze::BitPlane offered_;
  maze::BitPlane every_;
};

}  // namespace kernbench::sim

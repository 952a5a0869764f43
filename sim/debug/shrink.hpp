// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/debug/unit.hpp"
#include "sim/stimulus/script.hpp"

namespace kernbench::sim {

/// Why a case failed: two runs with the same reason fail in the same way.
struct Reason {
  std::string checker;
  std::string kind;
  std::string signal;  ///< first wrong signal of the unit; empty if none is known
  friend bool operator==(const Reason&, const Reason&) = default;
};

/// Bounds of a search, so that it ends at the same place on any machine.
struct ShrinkLimits {
  std::uint64_t cycles = 400'000;  ///< simulated cycles, of all trials together
  unsigned trials = 1500;
  maze::Payload plain = 0;  ///< bits of packets that are replaced by the number of the packet
};

struct ShrunkScript {
  Script script;
  unsigned trials = 0;
  std::uint64_t cycles = 0;  ///< simulated in all trials
  bool ended = true;         ///< false: a limit ended the search, and less may do
};

/// Returns a smallest script that still fails for the same reason, by delta debugging over packets,
/// stalls, idle times and resets. `fails` runs a script; it is called with ones that may not fail.
/// `script` itself must fail.
[[nodiscard]] ShrunkScript shrink(const Script& script,
                                  const std::function<bool(const Script&)>& fails,
                                  const ShrinkLimits& limits = {});

/// The script of a run on a MAZE of another shape, and the unit that it is about.
struct MovedScript {
  Script script;
  Unit unit;
};

/// Returns what a script can be on a smaller MAZE: moved with all its distances, and with the rows
/// and columns left out between those that it uses. Empty if its nodes do not fit.
[[nodiscard]] std::vector<MovedScript> moved_scripts(const Script& script, const Unit& unit,
                                                     const maze::Shape& from, const maze::Shape& to,
                                                     bool network);

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/debug/recorder.hpp"
#include "sim/structure/design.hpp"

namespace kernbench::sim {

/// A line of the RTL that may be at fault.
struct Suspect {
  std::string file;  ///< as the build names it
  unsigned line = 0;
  unsigned last_line = 0;  ///< end of a statement that goes on; 0: it does not
  std::string instance;    ///< below the unit; empty for the unit itself
  std::string signal;      ///< that the line drives
  /// Words of the structure check about the line, or about what else it would have to be; empty for
  /// a line that another value explains.
  std::string finding;
  bool explains = false;  ///< another value of the signal would make all transitions right
  /// Signals of the module that the line would have to read besides those that it reads, so that
  /// one function gives all right values: 0, 1, 2, or 3 for more.
  unsigned missing = 3;
  /// Signals of the module, where one is missing: each of them would do.
  std::vector<std::string> could_read = {};
  bool is_register = false;  ///< the line assigns to a register
  /// The register keeps its value in a reset: no line of its process assigns to it then.
  bool keeps_in_reset = false;
  /// The condition around the assignment is meant: the register should have kept its value, or the
  /// other way round. with_conditions() finds its line.
  bool is_condition = false;
};

/// Suspect::finding of an instance that stands where the reference has a stage.
inline constexpr std::string_view kOtherStage =
    "stands where the reference has a stage with other registers";
/// Suspect::finding of the declaration of a register.
inline constexpr std::string_view kNarrow = "has fewer bits than this register of the reference";

/// Lines of the RTL, the likeliest first, or why there are none.
struct SuspectList {
  std::vector<Suspect> lines;
  std::string why_not;  ///< empty with lines
};

/// Most lines of a list.
inline constexpr std::size_t kMostSuspects = 10;

/// Ranks the lines in front of the first wrong signal of a recording.
///
/// The logic of the unit is executed line by line on the states of the reference, in all recorded
/// cycles. A transition that comes out wrong has to be made right by another value of the signal
/// that a line drives; transitions that come out right tell which other values would do harm. So
/// lines that could not explain what was seen, whatever is written on them, fall behind. `drawn`
/// has further states of the reference (draw_states()); those of other modules are ignored.
[[nodiscard]] SuspectList rank_suspects(const Recording& recording,
                                        const std::vector<Recording>& drawn,
                                        const structure::Design& design);

}  // namespace kernbench::sim

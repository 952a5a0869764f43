// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "maze/network_frame.hpp"
#include "sim/debug/recorder.hpp"
#include "sim/debug/shrink.hpp"
#include "sim/debug/suspects.hpp"
#include "sim/debug/way_map.hpp"
#include "sim/harness/case_observer.hpp"
#include "sim/regression/case_result.hpp"
#include "sim/stimulus/pin_trace.hpp"
#include "sim/structure/finding.hpp"

namespace kernbench::sim {

/// A failed case that can run again.
struct CaseRerun {
  std::function<CaseResult(CaseObserver& observer)> run;
  maze::NetworkConfig config;  ///< settings of the network with its failed node, or TOPO's shape
  bool network = false;
  std::string design;  ///< folder that has the dump of the elaborated design; may be empty
  std::vector<structure::Finding> findings =
      {};                                 ///< findings of the structure check, in the user's names
  std::uint64_t watchdog_cycles = 2'000;  ///< window of the case's watchdog
  std::uint64_t shrink_cycles = 400'000;  ///< spent on shrinking it; 0: it is not shrunk
  /// The same RTL as smaller MAZEs, on which a script in place of the case may fail in the same
  /// way, the smallest first. Absent: none is tried.
  std::optional<std::vector<CaseRerun>> smaller = std::nullopt;
};

/// The smallest run that fails for the same reason.
struct ShrunkCase {
  ShrunkScript script;
  maze::NetworkConfig config = {};  ///< MAZE on which it ran, perhaps a smaller one
  Recording recording;
  Failure failure;
  std::vector<std::string> packets = {};  ///< packets of a network of any topology, one a line
  PinTrace pins;                          ///< pins of the run of a MAZE
  bool pins_are_exact = true;  ///< false: a reset begins or ends within a cycle, or no MAZE ran
  std::string regression;      ///< the script as a regression file of one suite
};

/// A failure, and what is known of its cause.
struct Diagnosis {
  std::string suite;
  std::uint64_t seed = 0;
  std::string command;  ///< command that runs the case again
  Failure failure;      ///< the first one
  maze::NetworkConfig config;
  Recording recording;
  /// The node of a network of any topology that is wrong first, with its registers; `recording` has
  /// the links then.
  std::optional<Recording> node = {};
  SuspectList suspects;
  std::optional<ShrunkCase> shrunk;
  std::string why_not_shrunk;
  std::string smaller;  ///< smaller MAZEs that were tried; empty if none was to be
  // The shrunk case, or else the case as it ran:
  WayMap map;
  std::vector<MapPacket> packets;  ///< their ways in the cycles that are drawn
};

/// Runs a failed case again, on the model on which it failed, and finds the first wrong signal, the
/// lines that may be at fault and the smallest run that fails for the same reason. Returns nothing
/// for failures that are not at a port. Throws std::logic_error, which says what differed, if the
/// case does not fail again as it did.
[[nodiscard]] std::optional<Diagnosis> diagnose(const CaseResult& failed, const CaseRerun& rerun);

/// Returns the lines in front of the first wrong signal of a recording, which may have none, and
/// those that the structure check found. `drawn` is as for rank_suspects(); `design` is the folder
/// with the dump of the elaborated design, or empty.
[[nodiscard]] SuspectList suspects_of(const Recording& recording,
                                      const std::vector<Recording>& drawn,
                                      const std::string& design,
                                      const std::vector<structure::Finding>& findings);

/// Returns the diagnosis of a failed structure check: the lines that its findings point at. Nothing
/// was run, so it has no recording.
[[nodiscard]] Diagnosis diagnose_structure(const CaseResult& failed,
                                           const std::vector<structure::Finding>& findings);

/// Returns the diagnosis as lines of a report, without indentation: the sentence, the first wrong
/// signal, the lines and the size of the shrunk case.
[[nodiscard]] std::vector<std::string> diagnosis_text(const Diagnosis& diagnosis);

/// Returns the path of a file from the current folder, if it is below that folder.
[[nodiscard]] std::string from_here(const std::string& file);

/// Returns the place of a line, or of the lines of a statement: "rtl/irs_lp.sv:41-43".
[[nodiscard]] std::string place_text(const Suspect& one);

/// Returns a value of a signal as reports show it: packets in fields, others as a number.
[[nodiscard]] std::string value_text(const UnitSignal& signal, maze::Payload value,
                                     const PacketTexts& texts);

}  // namespace kernbench::sim

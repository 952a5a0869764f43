// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "plot/report_kind.hpp"
#include "sim/debug/suspects.hpp"
#include "sim/debug/wave_drawing.hpp"
#include "sim/debug/way_map.hpp"

namespace kernbench::sim {

struct FailureReport;

/// The first wrong signal of a run.
struct SignalRow {
  std::string unit;
  std::string instance;
  std::string signal;
  std::uint64_t cycle = 0;
  std::string seen;
  std::string expected;
  std::string history;
};

/// A line that may be at fault.
struct LineRow {
  Suspect suspect;
  std::string place = {};                ///< file and lines, as texts name them
  unsigned from = 0;                     ///< number of the first line of `source`
  std::vector<std::string> source = {};  ///< lines around it; empty for a line that is not shown
};

/// Size of the shrunk case.
struct ShrunkRow {
  std::size_t packets = 0;
  std::size_t stalls = 0;
  std::size_t resets = 0;
  std::uint64_t cycles = 0;
  unsigned trials = 0;
  bool ended = true;
  std::optional<SignalRow> first_wrong;
};

struct CheckerCount {
  std::string name;
  std::uint64_t checks = 0;
  std::uint64_t failures = 0;
};

struct CommandRow {
  std::string name;
  std::string command;
};

/// Ways of packets in the cycles of a wave.
struct WaysData {
  WayMap map = {};
  std::string noun = {};  ///< thing that moves
  std::vector<MapPacket> packets = {};
  std::size_t left_out = 0;  ///< packets that are not listed
};

/// The data of failure.json: all that its page shows.
struct FailureData {
  std::string title = {};
  std::string design = {};
  std::string suite = {};
  std::string checker = {};
  std::string kind = {};
  std::uint64_t cycle = 0;
  std::string message = {};
  std::vector<std::string> cause = {};
  std::vector<std::string> findings = {};
  std::optional<SignalRow> first_wrong = {};
  std::vector<LineRow> lines = {};
  std::string no_lines = {};
  std::optional<ShrunkRow> shrunk = {};
  std::string not_shrunk = {};
  std::optional<WaveView> shrunk_wave = {};
  std::optional<WaveView> wave = {};
  std::optional<WaveView> node_wave = {};
  std::optional<WaysData> ways = {};
  std::vector<CheckerCount> checkers = {};
  std::vector<CommandRow> commands = {};
  std::string model_hash = {};
  std::vector<std::string> words = {};
};

[[nodiscard]] FailureData failure_data(const FailureReport& report);

/// The report failure.json, whose data are FailureData.
extern const plot::ReportKind kFailureReport;

}  // namespace kernbench::sim

namespace kernbench::common {
template <>
const Description<sim::FailureData>& description_of();
}  // namespace kernbench::common

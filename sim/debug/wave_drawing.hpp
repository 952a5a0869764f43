// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/debug/recorder.hpp"

namespace kernbench::sim {

/// The part of a recording that is drawn.
struct WaveRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// Most cycles that a page draws.
inline constexpr std::uint64_t kDrawnCycles = 48;

/// Returns the cycle from which a packet at the place of the first wrong signal is offered to the
/// unit, the earliest one. Nothing if no packet is there, or if it was offered before the
/// recording.
[[nodiscard]] std::optional<std::uint64_t> offer_of_failure(const Recording& recording);

/// Returns the cycles around the first wrong signal of a recording, from the offer of the packet
/// that it is about on; at most `most` of them.
[[nodiscard]] WaveRange range_around(const Recording& recording, std::uint64_t most);

/// Returns the packets that the first wrong signal of a recording is about: those that the
/// reference has at its place, and what was seen if it is a packet itself.
[[nodiscard]] std::set<maze::Payload> packets_in_question(const Recording& recording);

/// A value from a cycle on.
struct WaveValue {
  std::uint64_t cycle = 0;
  std::string text;   ///< empty where nothing is known
  std::string brief;  ///< the same in few letters
};

/// A signal as it is drawn.
struct WaveRow {
  std::string name;
  bool expected = false;  ///< values of the reference
  bool is_bit = false;
  std::vector<std::uint64_t> wrong;  ///< cycles in which it differs from the reference
  std::vector<WaveValue> values;     ///< in order
};

/// A part of a recording as it is drawn.
struct WaveView {
  std::string unit = {};
  std::uint64_t first = 0;  ///< first cycle
  std::uint64_t cycles = 0;
  std::vector<std::uint64_t> resets = {};   ///< cycles in reset
  std::optional<std::uint64_t> wrong = {};  ///< cycle of the first wrong signal
  std::vector<WaveRow> rows = {};
};

/// Returns a row for each signal around the first wrong one, and below each signal that differs
/// what the reference has.
[[nodiscard]] WaveView wave_view(const Recording& recording, const WaveRange& range);

/// Returns the view as an SVG element. Every row carries its values for the script of the page. Its
/// colours follow the style of the page.
[[nodiscard]] std::string wave_svg(const WaveView& view);

/// Returns the window of a recording as a VCD, which GTKWave reads: the signals, and beside them
/// what the reference expects. A cycle takes 10 ns.
[[nodiscard]] std::string wave_vcd(const Recording& recording);
/// Returns the set-up of GTKWave for that VCD, whose path is `vcd`.
[[nodiscard]] std::string wave_setup(const Recording& recording, const std::string& vcd);

}  // namespace kernbench::sim

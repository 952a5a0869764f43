// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/debug/recorder.hpp"

namespace kernbench::sim {

/// The part of a recording that is drawn.
struct WaveRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// Returns the cycle from which a packet at the place of the first wrong signal is offered to the
/// unit, the earliest one. Nothing if no packet is there, or if it was offered before the
/// recording.
[[nodiscard]] std::optional<std::uint64_t> offer_of_failure(const Recording& recording);

/// Returns the cycles around the first wrong signal of a recording, from the offer of the packet
/// that it is about on; at most `most` of them.
[[nodiscard]] WaveRange range_around(const Recording& recording, std::uint64_t most);

/// Returns an SVG element with a row for each signal around the first wrong one, and below each
/// signal that differs what the reference has. Every row carries its values for the script of the
/// page. Its colours follow the style of the page.
[[nodiscard]] std::string wave_svg(const Recording& recording, const WaveRange& range);

/// Returns the window of a recording as a VCD, which GTKWave reads: the signals, and beside them
/// what the reference expects. A cycle takes 10 ns.
[[nodiscard]] std::string wave_vcd(const Recording& recording);
/// Returns the set-up of GTKWave for that VCD, whose path is `vcd`.
[[nodiscard]] std::string wave_setup(const Recording& recording, const std::string& vcd);

/// The style of wave_svg().
[[nodiscard]] std::string_view wave_style();
/// The script that moves a cursor over wave_svg() and zooms it.
[[nodiscard]] std::string_view wave_script();

}  // namespace kernbench::sim

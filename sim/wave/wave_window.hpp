// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/wave/save_file.hpp"

namespace kernbench::sim {

/// Times of a dump in its unit: of the marker, the first and last one, and where the view begins if
/// not 22 cycles before the marker.
struct WaveTimes {
  std::uint64_t marker = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::optional<std::uint64_t> begin = {};
};

/// Returns the lines of a save file of GTKWave that open the dump `dump` around the marker, without
/// a newline at the end. The path is stored absolute.
[[nodiscard]] std::string window_head(const std::string& dump, const WaveTimes& times);

/// Types of packets, by number.
inline constexpr std::array<const char*, 4> kPacketTypes = {"unicast", "x_multicast", "y_multicast",
                                                            "broadcast"};

/// Starts the save file that goes to `path`, for an FST of the top `bench`: the window, with the
/// marker at `cycle` and 20 cycles on each side in view, a line of `words`, clock and reset. Writes
/// the file of names that it uses beside it. Throws common::BadInput if that cannot be written.
[[nodiscard]] SaveFile start_save(const std::string& path, const std::string& fst_path,
                                  const maze::Shape& shape, const std::string& bench,
                                  std::uint64_t cycle, const std::string& words);

/// Returns the shell command that opens a save file from any folder.
[[nodiscard]] std::string view_command(const std::string& setup_path);

/// Returns the time in the FST, in its units, at which the signals of a cycle are settled.
[[nodiscard]] constexpr std::uint64_t trace_time(std::uint64_t cycle) {
  return 10 * cycle;
}

}  // namespace kernbench::sim

#pragma once

#include <string>

#include "maze/link_frame.hpp"
#include "sim/failure.hpp"

namespace kernbench::sim {

/// Writes a GTKWave save file for an FST of the verilated bench. It shows clock and reset, then the
/// failing link from source to sink, with the packet's fields decoded at both ends and in every IRS
/// stage, and has the cursor at the failing cycle. A failure without a link shows clock and reset
/// only. `fst_path` is stored relative to the save file. Throws common::BadInput when the file
/// cannot be written.
void write_gtkwave_setup(const std::string& path, const std::string& fst_path,
                         const maze::Shape& shape, const Failure& failure);

/// Returns the time in the FST, in its units, at which the signals of a cycle are settled.
[[nodiscard]] constexpr std::uint64_t trace_time(std::uint64_t cycle) {
  return 10 * cycle;
}

}  // namespace kernbench::sim

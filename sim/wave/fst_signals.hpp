// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace kernbench::sim {

/// Bits of a vector as declared, [left:right]. A signal without a range is one bit.
struct SignalRange {
  bool vector = false;
  int left = 0;
  int right = 0;
};

/// Signals of an FST by full name, without their range: "TOP.maze_tb_top.node_if[3].xo_type[0]".
using FstSignals = std::map<std::string, SignalRange>;

/// Content of an FST without its values.
struct FstContent {
  std::uint64_t first = 0;  ///< earliest time, in the units of the file
  std::uint64_t last = 0;   ///< latest time
  FstSignals signals;
};

/// Reads an FST as Verilator writes it. Returns no signals for any other file.
[[nodiscard]] FstContent read_fst(const std::string& path);

}  // namespace kernbench::sim

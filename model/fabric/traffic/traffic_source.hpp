// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/random.hpp"
#include "model/fabric/seam/fabric_clock.hpp"
#include "model/fabric/traffic/traffic_pattern.hpp"

namespace kernbench::model::fabric {

/// Load of synthetic traffic, and the cycles to measure.
/// Open transfers that a simulation of synthetic traffic holds at most, in about 1.5 GB. Beyond
/// saturation their number grows with the time.
inline constexpr std::uint64_t kMaxOpenTransfers = 4'000'000;

struct TrafficLoad {
  double load = 0.1;             ///< offered packets per sender and cycle, 0..1
  std::uint64_t bytes = 1;       ///< bytes of a transfer
  std::uint64_t warmup = 1000;   ///< cycles before the measured ones
  std::uint64_t cycles = 10000;  ///< measured cycles, at least 1
  std::uint64_t seed = 1;
  std::uint64_t max_open = kMaxOpenTransfers;  ///< open transfers at most

  /// Returns the number of cycles in which transfers begin.
  [[nodiscard]] Edge sending_cycles() const { return warmup + cycles; }
};

/// Draws synthetic traffic cycle by cycle. In each cycle each sender of a pattern begins a transfer
/// with probability load / (packets of a transfer), independently of everything else.
class TrafficSource {
 public:
  /// `pattern` must outlive the source. `packets` is the number of packets of a transfer. Throws
  /// std::invalid_argument for a load outside 0..1, and for 0 cycles or bytes.
  TrafficSource(const TrafficPattern& pattern, const TrafficLoad& load, std::uint64_t packets);

  /// Advances to the next cycle. Calls begin(src, dst) for each transfer that begins, by sender.
  template <typename Begin>
  void next_cycle(Begin begin) {
    if (cycle_ == kDrawn) draw();
    for (const Beginning& beginning : beginnings_[cycle_]) begin(beginning.src, beginning.dst);
    ++cycle_;
  }

 private:
  struct Beginning {
    std::uint32_t src;
    std::uint32_t dst;
  };
  /// Cycles drawn ahead, sender by sender. Each sender has its own random stream.
  static constexpr unsigned kDrawn = 16;
  void draw();

  const TrafficPattern& pattern_;
  std::uint64_t begin_share_;  ///< probability to begin a transfer, in units of common::kCertain
  std::vector<common::Rng> rngs_;                          ///< by sender
  std::array<std::vector<Beginning>, kDrawn> beginnings_;  ///< by cycle, then by sender
  unsigned cycle_ = kDrawn;                                ///< next cycle in beginnings_
};

}  // namespace kernbench::model::fabric

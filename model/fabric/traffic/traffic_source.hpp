#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/random.hpp"
#include "model/fabric/seam/fabric_clock.hpp"
#include "model/fabric/traffic/traffic_pattern.hpp"

namespace kernbench::model::fabric {

/// How much is sent, and what of it is measured.
struct TrafficLoad {
  double load = 0.1;             ///< packets per sender and cycle that are offered, 0..1
  std::uint64_t bytes = 1;       ///< of a transfer
  std::uint64_t warmup = 1000;   ///< cycles before those that are measured
  std::uint64_t cycles = 10000;  ///< that are measured, at least 1
  std::uint64_t seed = 1;

  /// Cycles in which transfers begin.
  [[nodiscard]] Edge sending_cycles() const { return warmup + cycles; }
};

/// The random choices of synthetic traffic, cycle by cycle: in each cycle each sender of a pattern
/// begins a transfer with the probability load / (packets of a transfer), independently of
/// everything else.
class TrafficSource {
 public:
  /// `pattern` must outlive it. `packets`: of a transfer of load.bytes. Throws
  /// std::invalid_argument for a load outside 0..1, no cycles and no bytes.
  TrafficSource(const TrafficPattern& pattern, const TrafficLoad& load, std::uint64_t packets);

  /// The next cycle: calls begin(src, dst) for each transfer that begins in it, by sender.
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
  /// Cycles that are drawn ahead, sender by sender: each has random numbers of its own.
  static constexpr unsigned kDrawn = 16;
  void draw();

  const TrafficPattern& pattern_;
  std::uint64_t begin_share_;  ///< probability to begin a transfer, in units of common::kCertain
  std::vector<common::Rng> rngs_;                          ///< by sender
  std::array<std::vector<Beginning>, kDrawn> beginnings_;  ///< by cycle; in the order of senders
  unsigned cycle_ = kDrawn;                                ///< the next one of those
};

}  // namespace kernbench::model::fabric

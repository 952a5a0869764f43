// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/debug/unit.hpp"

namespace kernbench::sim {

/// A run of cycles in which a place was stalled or idle.
struct Stretch {
  std::uint64_t cycles = 0;  ///< 0: there was none since the last reset
  std::uint64_t ago = 0;     ///< cycles since its end; 0: it goes on
};

/// Counts of what led to a failure at one place of a unit.
struct History {
  std::string place;            ///< "stage 1"
  std::uint64_t packets = 0;    ///< that moved into it since the last reset
  Stretch stall;                ///< the last one
  Stretch idle;                 ///< the last one
  std::uint64_t cycles = 0;     ///< since the last reset
  std::uint64_t resets = 0;     ///< including the one at the start
  unsigned held = 0;            ///< packets inside
  std::string noun = "packet";  ///< thing that moves

  /// Returns one sentence, such as "Before it, stage 1 had taken 812 packets in 5,000 cycles since
  /// the reset at the start, had been stalled for 100 cycles until 3 cycles before, idle for 137
  /// cycles until 120 cycles before, and held 2 packets."
  [[nodiscard]] std::string text() const;
};

/// Counts what happens at all places of a unit.
class HistoryCounter {
 public:
  explicit HistoryCounter(const UnitReference& reference);

  /// Counts the last step of the reference.
  void count(const UnitReference& reference, bool in_reset);
  /// Returns the counts of a place before the cycle that is counted next.
  [[nodiscard]] History of(unsigned place) const;

 private:
  struct Run {
    std::uint64_t cycles = 0;
    std::uint64_t end = 0;  ///< cycle behind it
    void count(bool goes_on, std::uint64_t cycle);
    [[nodiscard]] Stretch at(std::uint64_t cycle) const {
      return {cycles, cycles == 0 ? 0 : cycle - end};
    }
  };
  struct Place {
    std::string name;
    std::uint64_t packets = 0;
    Run stall, idle;
    unsigned held = 0;
  };
  std::vector<Place> places_;
  std::string noun_;
  std::uint64_t cycle_ = 0;
  std::uint64_t since_reset_ = 0;
  std::uint64_t resets_ = 0;
  bool in_reset_ = false;
};

}  // namespace kernbench::sim

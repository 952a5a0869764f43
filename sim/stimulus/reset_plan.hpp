// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernbench::sim {

/// Moments of a clock cycle at which rst_n may change, in order.
enum class ClockMoment : std::uint8_t {
  Rise,  ///< just after the rising edge that begins the cycle, together with the inputs
  High,  ///< before the falling edge
  Low,   ///< after the falling edge
  End,   ///< just after the rising edge that ends the cycle
};

/// The part of one cycle in which rst_n is 0.
struct ResetCycle {
  ClockMoment from = ClockMoment::Rise;  ///< not End
  ClockMoment to = ClockMoment::End;     ///< not Rise, and not before `from`

  friend constexpr bool operator==(const ResetCycle&, const ResetCycle&) = default;
};

/// One reset.
struct ResetEvent {
  std::uint64_t at = 0;      ///< run cycle at which it begins
  std::uint64_t clocks = 4;  ///< rising edges at which rst_n is 0; 0: a pulse within one cycle
  ClockMoment from = ClockMoment::Rise;  ///< moment of the assertion, in the first cycle
  ClockMoment to = ClockMoment::End;     ///< moment of the release, in the last cycle

  /// Returns the number of cycles in which rst_n is 0 at any time.
  [[nodiscard]] std::uint64_t cycles() const { return clocks + (to == ClockMoment::End ? 0 : 1); }
  /// Returns the part of cycle `i` of this reset, 0..cycles()-1.
  [[nodiscard]] ResetCycle cycle(std::uint64_t i) const {
    return {i == 0 ? from : ClockMoment::Rise, i + 1 == cycles() ? to : ClockMoment::End};
  }
  friend constexpr bool operator==(const ResetEvent&, const ResetEvent&) = default;
};

/// The pulses that cover no rising edge: before, across and after the falling edge.
inline constexpr ResetCycle kResetFractions[] = {{ClockMoment::Rise, ClockMoment::High},
                                                 {ClockMoment::High, ClockMoment::Low},
                                                 {ClockMoment::Low, ClockMoment::Low}};

enum class ResetPattern {
  Random,  ///< widths drawn log-uniformly, a quarter of them fractions of a clock
  Sweep,   ///< each width once, and each fraction, in random order
};

/// Resets that a seed draws. Their moments are spread over the run cycles.
struct ResetSpec {
  ResetPattern pattern = ResetPattern::Random;
  unsigned count = 0;      ///< Random: number of resets; 0: none
  unsigned longest = 100;  ///< widest reset in clocks, >= 1

  /// Returns the number of resets that are drawn.
  [[nodiscard]] std::uint64_t resets() const;
};

/// Returns why the resets do not fit into `cycles` run cycles, or nothing.
[[nodiscard]] std::optional<std::string> problem(const ResetSpec& spec, std::uint64_t cycles);

/// Draws the resets of a case with `cycles` run cycles, ascending. Empty for a spec without resets.
[[nodiscard]] std::vector<ResetEvent> draw_resets(const ResetSpec& spec, std::uint64_t cycles,
                                                  std::uint64_t seed);

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace kernbench::common {

/// A simulated time or duration in whole picoseconds (up to about 106 days).
class SimTime {
 public:
  constexpr SimTime() = default;
  [[nodiscard]] static constexpr SimTime from_ps(std::int64_t ps) { return SimTime(ps); }

  /// Rounds `ns` to the nearest picosecond, halves up. Throws std::out_of_range when `ns` is not
  /// finite or the result does not fit into 64 bits.
  [[nodiscard]] static SimTime from_ns(double ns) {
    // Two statements, because some compilers would fuse one into a multiply-add that rounds
    // differently.
    const double exact_ps = ns * 1000.0;
    const double ps = std::floor(exact_ps + 0.5);
    // 2^63 as a double is exact; the largest int64 is not.
    constexpr double kLimit = 9223372036854775808.0;
    if (!(ps >= -kLimit && ps < kLimit)) {
      throw std::out_of_range("a time in ns does not fit into 64-bit picoseconds");
    }
    return SimTime(static_cast<std::int64_t>(ps));
  }

  [[nodiscard]] static constexpr SimTime max() {
    return SimTime(std::numeric_limits<std::int64_t>::max());
  }

  [[nodiscard]] constexpr std::int64_t ps() const { return ps_; }
  [[nodiscard]] constexpr double ns() const { return static_cast<double>(ps_) / 1000.0; }

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of a <=> b < 0 for a pointer
  friend constexpr auto operator<=>(SimTime, SimTime) = default;
  friend constexpr SimTime operator+(SimTime a, SimTime b) { return SimTime(a.ps_ + b.ps_); }
  friend constexpr SimTime operator-(SimTime a, SimTime b) { return SimTime(a.ps_ - b.ps_); }
  friend constexpr SimTime operator*(SimTime a, std::int64_t n) { return SimTime(a.ps_ * n); }
  constexpr SimTime& operator+=(SimTime b) { return *this = *this + b; }

 private:
  explicit constexpr SimTime(std::int64_t ps) : ps_(ps) {}

  std::int64_t ps_ = 0;
};

}  // namespace kernbench::common

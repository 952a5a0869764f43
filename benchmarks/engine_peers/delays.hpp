// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace kernbench::bench {

inline constexpr unsigned kProcesses = 1000;
inline constexpr unsigned kContenders = 64;

/// Random delays in ps: uniform from 1 to 16, or log-uniform from 1 to 1,000,000. Drawn in advance
/// into a table that fits the cache, so that only the engine is timed.
class DelayTable {
 public:
  explicit DelayTable(bool spread) {
    std::uint64_t state = 0x9e3779b97f4a7c15U;
    for (std::uint32_t& delay : delays_) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      const double draw = static_cast<double>(state >> 11) * 0x1p-53;
      delay = static_cast<std::uint32_t>(spread ? std::pow(10.0, 6.0 * draw) : 1.0 + 16.0 * draw);
    }
  }
  /// Returns the delay of one process in one step.
  [[nodiscard]] std::int64_t at(std::uint64_t process, std::uint64_t step) const {
    return delays_[(process * 389 + step) % delays_.size()];
  }

 private:
  std::array<std::uint32_t, 1024> delays_{};
};

}  // namespace kernbench::bench

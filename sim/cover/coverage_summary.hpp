// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kernbench::sim {

/// Coverage of one group of bins.
struct CoverageGroup {
  std::string name;
  std::uint64_t hit = 0;
  std::uint64_t total = 0;
  std::vector<std::string> missed;  ///< names of the bins that were not hit
};

/// Functional coverage as shown in reports. Without groups when no coverage was collected.
struct CoverageSummary {
  std::vector<CoverageGroup> groups;

  [[nodiscard]] std::uint64_t hit() const {
    std::uint64_t sum = 0;
    for (const CoverageGroup& group : groups) sum += group.hit;
    return sum;
  }
  [[nodiscard]] std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const CoverageGroup& group : groups) sum += group.total;
    return sum;
  }
};

}  // namespace kernbench::sim

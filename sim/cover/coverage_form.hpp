// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/described.hpp"
#include "sim/cover/coverage_data.hpp"
#include "sim/cover/covered_run.hpp"

namespace kernbench::sim {

/// Version of the `data` of a coverage file. Files with another version are rejected.
inline constexpr std::uint64_t kCoverageSchema = 3;

inline constexpr std::size_t kHexDigits = 16;  ///< digits of a word

/// The data of a coverage file: the bins that were hit, as words of 16 hexadecimal digits by port,
/// and what follows from them. Values of this type are views.
struct CoverageFile {
  const CoverageData& coverage;
  const std::vector<CoveredRun>& runs;
};

}  // namespace kernbench::sim

namespace kernbench::common {

template <>
const Description<sim::CoverageFile>& description_of();

}  // namespace kernbench::common

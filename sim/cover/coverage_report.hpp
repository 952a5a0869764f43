// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "sim/cover/coverage_data.hpp"

namespace kernbench::sim {

/// Returns text for a terminal: a table of hit and total bins by group, then the names of the first
/// `max_missed` missed bins and the number of the others.
[[nodiscard]] std::string coverage_report(const CoverageData& coverage, std::size_t max_missed);

}  // namespace kernbench::sim

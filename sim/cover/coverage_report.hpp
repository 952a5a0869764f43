#pragma once

#include <cstddef>
#include <string>

#include "sim/cover/coverage_data.hpp"

namespace kernbench::sim {

/// Text for a terminal: a table of hit and total by group, then the first `max_missed` missed bins
/// by name and how many more there are.
[[nodiscard]] std::string coverage_report(const CoverageData& coverage, std::size_t max_missed);

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/outcome.hpp"
#include "sim/cover/coverage_data.hpp"

namespace kernbench::sim {

/// A run whose coverage a file holds.
struct CoveredRun {
  std::string model;                                ///< DutInfo::build_hash
  common::Outcome outcome = common::Outcome::Pass;  ///< missed bins aside
  friend bool operator==(const CoveredRun&, const CoveredRun&) = default;
};

/// Coverage, and the runs that it is of.
struct CoverageOfRuns {
  CoverageData coverage;
  std::vector<CoveredRun> runs;
};

/// Returns how many of the runs did not pass, "1 of 2 runs did not pass: mismatch", or "".
[[nodiscard]] std::string failed_runs_text(const std::vector<CoveredRun>& runs);

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/cover/covered_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <set>

namespace kernbench::sim {

std::string failed_runs_text(const std::vector<CoveredRun>& runs) {
  std::size_t failed = 0;
  std::set<std::string> outcomes;
  for (const CoveredRun& run : runs) {
    if (run.outcome == common::Outcome::Pass) continue;
    ++failed;
    outcomes.emplace(common::name(run.outcome));
  }
  if (failed == 0) return {};
  return fmt::format("{} of {} run{} did not pass: {}", failed, runs.size(),
                     runs.size() == 1 ? "" : "s", fmt::join(outcomes, ", "));
}

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_regression.hpp"

namespace kernbench::sim {

using common::Outcome;

void NetworkRegression::conclude(bool interrupted) {
  sum = {};
  if (!cases.empty()) sum.outcome = Outcome::Pass;
  for (const NetworkCaseRun& one : cases) sum.add(one.result);
  outcome = interrupted ? Outcome::Interrupted : judged(sum, full_coverage);
}

std::vector<NetworkSuite> NetworkRegression::suites() const {
  std::vector<NetworkSuite> all;
  for (const NetworkCaseRun& one : cases) {
    if (all.empty() || all.back().name != one.spec.suite) {
      all.push_back({one.spec.suite, 0, {}});
      all.back().sum.outcome = Outcome::Pass;
    }
    ++all.back().cases;
    all.back().sum.add(one.result);
  }
  return all;
}

Outcome judged(const NetworkResult& sum, bool full_coverage) {
  if (sum.outcome != Outcome::Pass || !full_coverage) return sum.outcome;
  if (!sum.coverage) return Outcome::Vacuous;
  const CoverageSummary bins = sum.coverage->summary();
  if (bins.total() == 0) return Outcome::Vacuous;
  return bins.hit() == bins.total() ? Outcome::Pass : Outcome::Mismatch;
}

}  // namespace kernbench::sim

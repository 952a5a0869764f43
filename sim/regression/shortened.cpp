// SPDX-License-Identifier: Apache-2.0
#include "sim/regression/shortened.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>

#include "sim/stimulus/traffic_names.hpp"
#include "sim/stimulus/traffic_rules.hpp"

namespace kernbench::sim {
namespace {

/// Returns why the suite cannot be judged after `cycles`, or nothing.
std::optional<std::string> too_short(const SuiteSpec& suite, std::uint64_t cycles,
                                     const maze::Shape& shape) {
  if (suite.script) return fmt::format("its script has {} cycles", suite.cycles);
  if (!suite.faults.empty() && cycles < suite.cycles) {
    return fmt::format("its faults are found within {} cycles", suite.cycles);
  }
  if (suite.checks.delivery) {
    const std::uint64_t least = least_cycles(suite.traffic, shape);
    if (cycles < least) {
      return fmt::format("pattern {} needs at least {} cycles to use all its links",
                         pattern_name(suite.traffic), least);
    }
  }
  return problem(suite.resets, cycles);
}

}  // namespace

std::vector<LeftOut> set_cycles(RegressionSpec& spec, std::uint64_t cycles) {
  std::vector<LeftOut> left_out;
  std::erase_if(spec.suites, [&](const SuiteSpec& suite) {
    if (suite.kind == SuiteKind::Connectivity) return false;
    const auto reason = too_short(suite, cycles, spec.shape);
    if (reason) left_out.push_back({suite.name, *reason, true});
    return reason.has_value();
  });
  for (SuiteSpec& suite : spec.suites) {
    if (suite.kind == SuiteKind::Connectivity) continue;
    suite.shortened = cycles < suite.cycles;
    suite.cycles = cycles;
    std::vector<std::uint64_t> late;
    std::copy_if(suite.reset_at.begin(), suite.reset_at.end(), std::back_inserter(late),
                 [&](std::uint64_t at) { return at >= cycles; });
    if (late.empty()) continue;
    std::erase_if(suite.reset_at, [&](std::uint64_t at) { return at >= cycles; });
    left_out.push_back(
        {suite.name,
         fmt::format("its reset{} at cycle {}", late.size() == 1 ? "" : "s", fmt::join(late, ", ")),
         false});
  }
  return left_out;
}

}  // namespace kernbench::sim

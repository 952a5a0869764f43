// SPDX-License-Identifier: Apache-2.0
// Times that are composed of others.
#include "model/serving/step_times.hpp"

#include <gtest/gtest.h>

namespace kernbench::model::serving {
namespace {

using common::SimTime;

/// 5 sequences, pages of 4 tokens on 2 PEs.
constexpr ServerRoom kRoom{5, 1000, 4, 2};

/// Returns 1000 ps, 100 ps for each sequence and 7 ps for each page of the PE with most pages.
SimTime linear_time(const Step& step) {
  if (step.prompt != 0) return SimTime::from_ps(static_cast<std::int64_t>(50 + 3 * step.prompt));
  std::int64_t pages[2] = {0, 0};
  for (std::size_t sequence = 0; sequence < step.contexts.size(); ++sequence) {
    for (std::uint64_t token = 0; token <= step.contexts[sequence]; token += 4) {
      ++pages[(sequence + token / 4) % 2];
    }
  }
  return SimTime::from_ps(1000 + 100 * static_cast<std::int64_t>(step.contexts.size()) +
                          7 * std::max(pages[0], pages[1]));
}

TEST(ServingStepTimes, AreExactForALinearMachine) {
  const StepTimes times(linear_time, {SimTime(), 100, 60}, kRoom, 2);
  EXPECT_LT(times.points().size(), 60U);
  for (std::uint64_t prompt = 1; prompt <= 100; ++prompt) {
    EXPECT_EQ(times({prompt, {}}), linear_time({prompt, {}})) << prompt;
  }
  const std::vector<std::uint64_t> contexts = {3, 158, 0, 41, 12};
  for (std::size_t batch = 1; batch <= contexts.size(); ++batch) {
    const Step step{0, {contexts.begin(), contexts.begin() + static_cast<std::ptrdiff_t>(batch)}};
    EXPECT_EQ(times(step), linear_time(step)) << batch;
  }
}

}  // namespace
}  // namespace kernbench::model::serving

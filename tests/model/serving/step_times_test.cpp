// SPDX-License-Identifier: Apache-2.0
// Times that are composed of others.
#include "model/serving/step_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace kernbench::model::serving {
namespace {

using common::SimTime;

/// Pages of 4 tokens on 3 PEs, 2 heads of keys in each cube.
constexpr ServerRoom room_of(std::uint64_t max_batch) {
  return {max_batch, 1000, 4, 3, 2};
}
constexpr Request kLongest{SimTime(), 40, 120};

/// Returns the time of a machine that a sum describes exactly: 1000 ps and 100 ps for each
/// sequence; on the slowest PE 7 ps for each page, 2 ps for each token and 30 ps for each sequence;
/// 11 ps for each part on the PE that merges most of them.
SimTime exact_time(const Step& step) {
  if (step.prompt != 0) return SimTime::from_ps(static_cast<std::int64_t>(50 + 3 * step.prompt));
  std::array<std::int64_t, 3> attention{};
  std::array<std::int64_t, 3> parts{};
  for (std::size_t sequence = 0; sequence < step.contexts.size(); ++sequence) {
    std::array<bool, 3> has{};
    for (std::uint64_t token = 0; token <= step.contexts[sequence]; ++token) {
      const std::size_t pe = (sequence + token / 4) % 3;
      attention[pe] += token % 4 == 0 ? 9 : 2;
      has[pe] = true;
    }
    for (std::size_t pe = 0; pe < 3; ++pe) {
      if (!has[pe]) continue;
      attention[pe] += 30;
      for (std::size_t head = 0; head < 2; ++head) parts[(2 * sequence + head) % 3] += 11;
    }
  }
  return SimTime::from_ps(1000 + 100 * static_cast<std::int64_t>(step.contexts.size()) +
                          *std::max_element(attention.begin(), attention.end()) +
                          *std::max_element(parts.begin(), parts.end()));
}

TEST(ServingStepTimes, FindsTheCostsOfAttention) {
  const AttentionCosts costs = StepTimes(exact_time, kLongest, room_of(5), 2).costs();
  EXPECT_EQ(costs.first_token, 9);
  EXPECT_EQ(costs.full_page, 15);
  EXPECT_EQ(costs.sequence, 30);
  EXPECT_EQ(costs.part, 11);
  EXPECT_EQ(costs.page(1, 4), 9);
  EXPECT_EQ(costs.page(3, 4), 13);
  EXPECT_EQ(costs.page(4, 4), 15);
  EXPECT_EQ(AttentionCosts({9, 15, 0, 0}).page(1, 1), 15);
}

TEST(ServingStepTimes, AreExactForAMachineThatASumDescribes) {
  const StepTimes times(exact_time, kLongest, room_of(5), 2);
  EXPECT_EQ(times.points().size(), 25U);
  for (std::uint64_t prompt = 1; prompt <= 40; ++prompt) {
    EXPECT_EQ(times({prompt, {}}), exact_time({prompt, {}})) << prompt;
  }
  for (std::uint64_t context = 1; context < 159; ++context) {
    const std::vector<std::uint64_t> contexts = {context, 158, 1 + context / 3, 41, 12};
    for (std::size_t batch = 1; batch <= contexts.size(); ++batch) {
      const Step step{0, {contexts.begin(), contexts.begin() + static_cast<std::ptrdiff_t>(batch)}};
      EXPECT_EQ(times(step), exact_time(step)) << batch << " sequences, " << context;
    }
  }
}

TEST(ServingStepTimes, NeedOnlyOneSequence) {
  const StepTimes times(exact_time, kLongest, room_of(1), 1);
  for (std::uint64_t context = 1; context < 159; ++context) {
    EXPECT_EQ(times({0, {context}}), exact_time({0, {context}})) << context;
  }
}

TEST(ServingStepTimes, ReachTheRoundThatACostNeeds) {
  EXPECT_EQ(StepTimes::most_tokens({SimTime(), 2, 2}, room_of(1)), 24U);
  EXPECT_EQ(StepTimes::most_tokens({SimTime(), 20, 5}, room_of(1)), 24U);
  EXPECT_EQ(StepTimes::most_tokens({SimTime(), 20, 6}, room_of(1)), 36U);
}

}  // namespace
}  // namespace kernbench::model::serving

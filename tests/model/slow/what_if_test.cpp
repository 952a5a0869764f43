// SPDX-License-Identifier: Apache-2.0
// Answers of WhatIf against full simulations of 40 drawn changes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/model/bench/what_if_changes.hpp"

namespace kernbench::model::bench {
namespace {

TEST(WhatIfChanges, AreAnsweredWithinThreePercentOrTheBand) {
  std::vector<AnswerError> errors;
  for (const AskedChange& asked : asked_changes()) {
    errors.push_back(error_of_answer(asked, 2));
    EXPECT_LE(errors.back().percent, std::max(3.0, errors.back().band_percent))
        << errors.back().text;
  }
  ASSERT_EQ(errors.size(), 40U);
  std::sort(errors.begin(), errors.end(),
            [](const AnswerError& a, const AnswerError& b) { return a.percent > b.percent; });
  for (std::size_t i = 0; i < 5; ++i) fmt::print("{}\n", errors[i].text);
}

}  // namespace
}  // namespace kernbench::model::bench

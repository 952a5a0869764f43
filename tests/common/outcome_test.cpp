// SPDX-License-Identifier: Apache-2.0
#include "common/outcome.hpp"

#include <gtest/gtest.h>

#include <array>

namespace kernbench::common {
namespace {

constexpr std::array kWorseAndWorse = {
    Outcome::Pass,     Outcome::Vacuous,  Outcome::Mismatch,    Outcome::Timeout,
    Outcome::Deadlock, Outcome::BadInput, Outcome::Interrupted, Outcome::InternalError};

TEST(Outcome, HasTheDocumentedExitCodes) {
  EXPECT_EQ(exit_code(Outcome::Pass), 0);
  EXPECT_EQ(exit_code(Outcome::Mismatch), 1);
  EXPECT_EQ(exit_code(Outcome::Vacuous), 1);
  EXPECT_EQ(exit_code(Outcome::BadInput), 2);
  EXPECT_EQ(exit_code(Outcome::Timeout), 3);
  EXPECT_EQ(exit_code(Outcome::Deadlock), 4);
  EXPECT_EQ(exit_code(Outcome::InternalError), 5);
  EXPECT_EQ(exit_code(Outcome::Interrupted), 130);
}

TEST(Outcome, NamesAreReadBackAndNothingElseIs) {
  for (const Outcome outcome : kWorseAndWorse) {
    EXPECT_EQ(outcome_from_name(name(outcome)), outcome);
  }
  EXPECT_EQ(name(Outcome::BadInput), "bad-input");
  EXPECT_EQ(outcome_from_name("Pass"), std::nullopt);
  EXPECT_EQ(outcome_from_name(""), std::nullopt);
}

TEST(Outcome, WorstFollowsTheDocumentedOrderEitherWayRound) {
  for (std::size_t i = 0; i < kWorseAndWorse.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      EXPECT_EQ(worst(kWorseAndWorse.at(i), kWorseAndWorse.at(j)), kWorseAndWorse.at(i));
      EXPECT_EQ(worst(kWorseAndWorse.at(j), kWorseAndWorse.at(i)), kWorseAndWorse.at(i));
    }
  }
}

}  // namespace
}  // namespace kernbench::common

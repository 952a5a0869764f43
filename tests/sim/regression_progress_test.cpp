// SPDX-License-Identifier: Apache-2.0
#include "sim/report/regression_progress.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace kernbench::sim {
namespace {

TEST(RegressionProgress, IsTheShareOfThePlannedCycles) {
  RegressionProgress progress(4, 4000);
  progress.add_cycles(1000);
  progress.case_done(false, 1'234'567);
  EXPECT_EQ(progress.state().share, 0.25);
  EXPECT_EQ(progress.state().text, "1/4 cases, 1 failed, 1.2 M packets, 1.0 k cycles");
}

TEST(RegressionProgress, CountsCasesIfTheCyclesAreUnknown) {
  RegressionProgress progress(4, 0);
  progress.case_done(true, 10);
  progress.case_done(true, 10);
  EXPECT_EQ(progress.state().share, 0.5);
  EXPECT_EQ(progress.state().text, "2/4 cases, 20 packets, 0 cycles");
}

TEST(RegressionProgress, IsFullOnlyWhenAllCasesHaveEnded) {
  RegressionProgress progress(2, 1000);
  progress.case_done(true, 0);
  progress.add_cycles(1100);  // more than planned, because of draining
  EXPECT_EQ(progress.state().share, 0.99);
  progress.case_done(true, 0);
  EXPECT_EQ(progress.state().share, 1.0);
}

TEST(RegressionProgress, CountsEverythingThatManyThreadsReport) {
  RegressionProgress progress(400, 0);
  std::vector<std::jthread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        progress.add_cycles(10);
        progress.case_done(true, 3);
      }
    });
  }
  threads.clear();
  EXPECT_EQ(progress.state().text, "400/400 cases, 1.2 k packets, 4.0 k cycles");
}

}  // namespace
}  // namespace kernbench::sim

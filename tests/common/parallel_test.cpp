// SPDX-License-Identifier: Apache-2.0
#include "common/parallel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace kernbench::common {
namespace {

using ::testing::Each;

TEST(InParallel, CallsEveryNumberOnceWithAnyNumberOfJobs) {
  for (const unsigned jobs : {0U, 1U, 3U, 100U}) {
    std::vector<int> calls(50);
    in_parallel(calls.size(), jobs, [&](std::size_t i) { ++calls[i]; });
    EXPECT_THAT(calls, Each(1)) << jobs;
  }
  in_parallel(0, 4, [](std::size_t) { FAIL(); });
}

TEST(InParallel, ThrowsWhatTheFirstCallThrewAfterAllAreDone) {
  std::atomic<int> calls{0};
  try {
    in_parallel(20, 4, [&](std::size_t i) {
      ++calls;
      if (i == 7) throw std::runtime_error("seven");
      if (i == 13) throw std::runtime_error("thirteen");
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "seven");
  }
  EXPECT_EQ(calls, 20);
}

TEST(InParallelWhile, StartsNoCallAfterOneHasReturnedFalse) {
  std::vector<int> calls(10);
  in_parallel_while(calls.size(), 1, [&](std::size_t i) {
    ++calls[i];
    return i != 3;
  });
  EXPECT_EQ(calls, (std::vector<int>{1, 1, 1, 1, 0, 0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace kernbench::common

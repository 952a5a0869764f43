// SPDX-License-Identifier: Apache-2.0
#include "model/transport/ready_queue.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace kernbench::model::transport {
namespace {

using common::SimTime;

constexpr SimTime ps(std::int64_t value) {
  return SimTime::from_ps(value);
}

TEST(ReadyQueue, PopsInOrderOfReadyTimeAndThenOfPush) {
  ReadyQueue<char> queue;
  const std::string items = "cadbe";
  const std::int64_t times[] = {30, 10, 30, 10, 40};
  for (std::size_t i = 0; i < items.size(); ++i) queue.push(ps(times[i]), items[i]);
  std::string out;
  while (!queue.empty()) out += queue.pop();
  EXPECT_EQ(out, "abcde");
}

TEST(ReadyQueue, FindsWhenTheFirstItemOfAKindIsReady) {
  ReadyQueue<std::int64_t> queue;
  for (std::int64_t i = 0; i < 4; ++i) queue.push(ps(10 * i), i);
  EXPECT_EQ(queue.pop(), 0);
  EXPECT_EQ(queue.ready(), ps(10));
  EXPECT_EQ(queue.ready_of_first([](std::int64_t item) { return item % 2 == 0; }), ps(20));
  EXPECT_EQ(queue.ready_of_first([](std::int64_t item) { return item == 0; }), SimTime::max());
}

TEST(ReadyQueue, StaysInOrderWithoutEverBeingEmpty) {
  ReadyQueue<std::int64_t> queue;
  std::int64_t popped = 0;
  for (std::int64_t i = 0; i < 10'000; ++i) {
    queue.push(ps(i), i);
    if (i >= 100) {
      ASSERT_EQ(queue.pop(), popped++);
    }
  }
  EXPECT_EQ(queue.ready(), ps(9'900));
}

}  // namespace
}  // namespace kernbench::model::transport

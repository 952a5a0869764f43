// SPDX-License-Identifier: Apache-2.0
#include "model/engine/event_queue.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <queue>
#include <tuple>
#include <vector>

#include "common/random.hpp"

namespace kernbench::model::engine {
namespace {

constexpr std::uint64_t kForever = std::numeric_limits<std::int64_t>::max();

class Ignore : public EventHandler {
 public:
  void on_event(EventArgument /*argument*/) override {}
};

/// (time, number of the push), earliest first.
using Reference =
    std::priority_queue<std::tuple<std::uint64_t, std::uint64_t>,
                        std::vector<std::tuple<std::uint64_t, std::uint64_t>>, std::greater<>>;

class EventQueueTest : public testing::Test {
 protected:
  Ignore handler_;
  EventQueue queue_;
  DueEvent due_{};
};

TEST_F(EventQueueTest, AnEmptyQueueHasNothing) {
  EXPECT_FALSE(queue_.pop(kForever, due_));
  EXPECT_EQ(queue_.size(), 0U);
}

TEST_F(EventQueueTest, TheEarliestComesFirstAndTiesInTheOrderOfPushing) {
  queue_.push(70'000, handler_, 0);
  queue_.push(5, handler_, 1);
  queue_.push(70'000, handler_, 2);
  queue_.push(300, handler_, 3);
  queue_.push(5, handler_, 4);
  std::vector<std::uint64_t> order;
  while (queue_.pop(kForever, due_)) order.push_back(due_.argument.number());
  EXPECT_EQ(order, (std::vector<std::uint64_t>{1, 4, 3, 0, 2}));
}

TEST_F(EventQueueTest, AnEventPushedLaterForTheSameTimeComesAfterOneThatWaitedOnAHigherLevel) {
  queue_.push(1000, handler_, 0);
  queue_.push(999, handler_, 1);
  ASSERT_TRUE(queue_.pop(kForever, due_));
  queue_.push(1000, handler_, 2);
  ASSERT_TRUE(queue_.pop(kForever, due_));
  EXPECT_EQ(due_.argument.number(), 0U);
  ASSERT_TRUE(queue_.pop(kForever, due_));
  EXPECT_EQ(due_.argument.number(), 2U);
}

TEST_F(EventQueueTest, NothingLaterThanTheLimitIsTakenAndEarlierOnesMayStillBePushed) {
  queue_.push(1000, handler_, 0);
  EXPECT_FALSE(queue_.pop(999, due_));
  queue_.push(999, handler_, 1);
  ASSERT_TRUE(queue_.pop(999, due_));
  EXPECT_EQ(due_.argument.number(), 1U);
  ASSERT_TRUE(queue_.pop(1000, due_));
  EXPECT_EQ(due_.argument.number(), 0U);
}

TEST_F(EventQueueTest, TheLastTimeThatThereIsCanBeUsed) {
  queue_.push(kForever, handler_, 0);
  queue_.push(0, handler_, 1);
  ASSERT_TRUE(queue_.pop(kForever, due_));
  EXPECT_EQ(due_.time, 0U);
  ASSERT_TRUE(queue_.pop(kForever, due_));
  EXPECT_EQ(due_.time, kForever);
}

TEST_F(EventQueueTest, ACancelledEventIsNotHandedOut) {
  EventRecord& cancelled = queue_.push(10, handler_, 0);
  queue_.push(20, handler_, 1);
  queue_.cancel(cancelled);
  EXPECT_EQ(queue_.size(), 1U);
  ASSERT_TRUE(queue_.pop(kForever, due_));
  EXPECT_EQ(due_.argument.number(), 1U);
  EXPECT_EQ(queue_.size(), 0U);
}

TEST_F(EventQueueTest, AfterOnlyCancelledEventsEarlierOnesMayStillBePushed) {
  queue_.push(10, handler_, 0);
  queue_.cancel(queue_.push(90'000, handler_, 1));
  ASSERT_TRUE(queue_.pop(kForever, due_));
  EXPECT_FALSE(queue_.pop(kForever, due_));
  queue_.push(11, handler_, 2);
  ASSERT_TRUE(queue_.pop(kForever, due_));
  EXPECT_EQ(due_.time, 11U);
  EXPECT_EQ(due_.argument.number(), 2U);
}

/// Returns a delay: often 0, often the same, otherwise spread over `bits` binary orders of
/// magnitude.
std::uint64_t random_delay(common::Rng& rng, unsigned bits) {
  return rng.bits64() & ((std::uint64_t{1} << (rng.bits64() % (bits + 1))) - 1);
}

void expect_order_of_the_reference(std::uint64_t seed, unsigned bits, std::uint64_t pushes) {
  common::Rng rng = common::Rng::stream(seed, "event-queue", bits);
  Ignore handler;
  EventQueue queue;
  Reference reference;
  DueEvent due{};
  std::uint64_t now = 0;
  std::uint64_t pushed = 0;
  while (pushed < pushes || !reference.empty()) {
    const std::uint64_t burst = pushed < pushes ? rng.bits64() % 8 : 0;
    for (std::uint64_t i = 0; i < burst; ++i, ++pushed) {
      const std::uint64_t time = now + random_delay(rng, bits);
      queue.push(time, handler, pushed);
      reference.emplace(time, pushed);
    }
    const std::uint64_t limit = now + random_delay(rng, bits);
    for (std::uint64_t i = rng.bits64() % 9; i > 0; --i) {
      const bool any = !reference.empty() && std::get<0>(reference.top()) <= limit;
      ASSERT_EQ(queue.pop(limit, due), any) << "seed " << seed << ", push " << pushed;
      if (!any) {
        now = limit;
        break;
      }
      ASSERT_EQ(std::tuple(due.time, due.argument.number()), reference.top())
          << "seed " << seed << ", push " << pushed;
      now = due.time;
      reference.pop();
    }
    ASSERT_EQ(queue.size(), reference.size());
  }
  EXPECT_FALSE(queue.pop(kForever, due));
}

TEST(EventQueueProperty, AMillionShortDelaysComeInTheOrderOfAPriorityQueue) {
  expect_order_of_the_reference(1, 4, 1'000'000);
}

TEST(EventQueueProperty, AMillionDelaysOverSixDecadesComeInTheOrderOfAPriorityQueue) {
  expect_order_of_the_reference(2, 20, 1'000'000);
}

TEST(EventQueueProperty, ManySchedulesOfEverySpreadComeInTheOrderOfAPriorityQueue) {
  for (unsigned bits = 0; bits <= 40; ++bits) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      expect_order_of_the_reference(seed, bits, 1000);
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace kernbench::model::engine

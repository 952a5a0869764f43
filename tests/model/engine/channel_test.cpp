// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "engine_fixture.hpp"

namespace kernbench::model::engine {
namespace {

class ChannelTest : public EngineTest {
 protected:
  Process put(Channel<int>& channel, common::SimTime at, std::vector<int> items) {
    co_await sim_.delay(at);
    for (const int item : items) {
      co_await channel.put(item);
      note(fmt::format("put {}", item));
    }
  }
  Process get(Channel<int>& channel, std::string who, common::SimTime at, int count) {
    co_await sim_.delay(at);
    for (int i = 0; i < count; ++i) {
      const int item = co_await channel.get();
      note(fmt::format("{} {}", who, item));
    }
  }
  Process put_text(Channel<std::unique_ptr<std::string>>& channel, int count) {
    for (int i = 0; i < count; ++i) {
      co_await channel.put(
          std::make_unique<std::string>(fmt::format("item {} of a text of some length", i)));
    }
  }
  Process get_text(Channel<std::unique_ptr<std::string>>& channel, int count) {
    for (int i = 0; i < count; ++i) {
      co_await sim_.delay(ps(1));
      const std::unique_ptr<std::string> item = co_await channel.get();
      note(*item);
    }
  }

  Channel<int> unbounded_{sim_, "unbounded"};
  Channel<int> two_{sim_, "two", 2};
};

TEST_F(ChannelTest, AnUnboundedChannelTakesEverythingAtOnceAndKeepsTheOrder) {
  sim_.spawn("p", put(unbounded_, ps(0), {1, 2, 3, 4, 5, 6}));
  sim_.run();
  EXPECT_EQ(unbounded_.size(), 6U);
  EXPECT_EQ(sim_.now(), ps(0));
  log_.clear();
  sim_.spawn("g", get(unbounded_, "got", ps(4), 6));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("4 got 1", "4 got 2", "4 got 3", "4 got 4", "4 got 5", "4 got 6"));
}

TEST_F(ChannelTest, AFullChannelLetsThePutterWaitForRoom) {
  sim_.spawn("p", put(two_, ps(0), {1, 2, 3, 4}));
  sim_.spawn("g1", get(two_, "got", ps(10), 1));
  sim_.spawn("g2", get(two_, "got", ps(20), 3));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 put 1", "0 put 2", "10 got 1", "10 put 3", "20 got 2",
                                "20 got 3", "20 got 4", "20 put 4"));
}

TEST_F(ChannelTest, GettersAreServedInOrderOfArrival) {
  sim_.spawn("g1", get(unbounded_, "first", ps(0), 1));
  sim_.spawn("g2", get(unbounded_, "second", ps(0), 1));
  sim_.spawn("p", put(unbounded_, ps(5), {1, 2}));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("5 put 1", "5 put 2", "5 first 1", "5 second 2"));
}

TEST_F(ChannelTest, PuttersAreServedInOrderOfArrival) {
  Channel<int> one(sim_, "one", 1);
  sim_.spawn("p1", put(one, ps(0), {1, 2}));
  sim_.spawn("p2", put(one, ps(0), {3}));
  sim_.spawn("g", get(one, "got", ps(5), 3));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 put 1", "5 got 1", "5 got 2", "5 got 3", "5 put 2", "5 put 3"));
}

TEST_F(ChannelTest, AGetterThatComesBetweenGrantAndResumptionDoesNotOvertake) {
  sim_.spawn("g1", get(unbounded_, "first", ps(0), 1));
  sim_.spawn("p", put(unbounded_, ps(5), {1, 2}));
  sim_.spawn("g2", get(unbounded_, "second", ps(5), 1));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("5 put 1", "5 put 2", "5 first 1", "5 second 2"));
}

TEST_F(ChannelTest, TryPutAndTryGetNeverWait) {
  EXPECT_EQ(two_.try_get(), std::nullopt);
  EXPECT_TRUE(two_.try_put(1));
  EXPECT_TRUE(two_.try_put(2));
  EXPECT_FALSE(two_.try_put(3));
  EXPECT_EQ(two_.try_get(), 1);
  EXPECT_EQ(two_.try_get(), 2);
  EXPECT_EQ(two_.try_get(), std::nullopt);
}

TEST_F(ChannelTest, TryPutWakesAGetterAndTryGetLeavesItsItemAlone) {
  sim_.spawn("g", get(two_, "got", ps(0), 1));
  sim_.run_until(ps(3));
  EXPECT_TRUE(two_.try_put(8));
  EXPECT_EQ(two_.try_get(), std::nullopt);
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("3 got 8"));
}

TEST_F(ChannelTest, TryGetLetsAPutterIn) {
  sim_.spawn("p", put(two_, ps(0), {1, 2, 3}));
  sim_.run_until(ps(3));
  EXPECT_FALSE(two_.try_put(9));
  EXPECT_EQ(two_.try_get(), 1);
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 put 1", "0 put 2", "3 put 3"));
  EXPECT_EQ(two_.size(), 2U);
}

TEST_F(ChannelTest, ItemsMayBeMoveOnly) {
  Channel<std::unique_ptr<std::string>> channel(sim_, "texts", 1);
  sim_.spawn("p", put_text(channel, 3));
  sim_.spawn("g", get_text(channel, 3));
  sim_.run();
  EXPECT_THAT(log_,
              ElementsAre("1 item 0 of a text of some length", "2 item 1 of a text of some length",
                          "3 item 2 of a text of some length"));
}

TEST_F(ChannelTest, ACapacityOfZeroIsAnError) {
  EXPECT_EQ(message_of<std::invalid_argument>([&] { Channel<int>(sim_, "none", 0); }),
            "channel 'none' needs a capacity of at least 1");
}

}  // namespace
}  // namespace kernbench::model::engine

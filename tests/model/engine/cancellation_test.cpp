// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "engine_fixture.hpp"

namespace kernbench::model::engine {
namespace {

class CancellationTest : public EngineTest {
 protected:
  Process put(int item) {
    co_await channel_.put(item);
    note(fmt::format("put {}", item));
  }
  Process get(std::string who) {
    const int item = co_await channel_.get();
    note(fmt::format("{} {}", who, item));
  }
  Process use(std::string who, std::size_t units) {
    const Lease lease = co_await resource_.acquire(units);
    note(who);
    co_await sim_.delay(ps(10));
  }
  Process join(ProcessHandle process) {
    co_await process;
    note("joined");
  }
  Process cancel_itself(const ProcessHandle& self) {
    self.cancel();
    co_return;
  }
  Process hold_part(std::shared_ptr<int> held) {
    co_await wait_part(held);
    note("never");
  }
  Process wait_part(std::shared_ptr<int> /*held*/) { co_await event_; }
  Process wait_any(Event& other) {
    co_await any_of(event_, other);
    note("never");
  }

  Event event_{"event"};
  Channel<int> channel_{sim_, "channel", 1};
  Resource resource_{sim_, "resource", 2};
};

TEST_F(CancellationTest, AProcessCancelledDuringADelayIsGoneAndTakesNoTime) {
  const ProcessHandle process = sim_.spawn("p", note_after(ps(100), "never"));
  sim_.run_until(ps(10));
  process.cancel();
  EXPECT_TRUE(process.ended());
  process.cancel();
  sim_.run();
  EXPECT_TRUE(log_.empty());
  EXPECT_EQ(sim_.now(), ps(10));
}

TEST_F(CancellationTest, AProcessCancelledBeforeItStartsNeverRuns) {
  sim_.spawn("p", note_after(ps(0), "never")).cancel();
  sim_.run();
  EXPECT_TRUE(log_.empty());
}

TEST_F(CancellationTest, AfterACancellationEventsMayComeBeforeTheCancelledOne) {
  sim_.spawn("p", note_after(ps(1'000'000), "never"));
  const ProcessHandle process = sim_.spawn("q", note_after(ps(2'000'000), "never"));
  sim_.run_until(ps(1'500'000));
  process.cancel();
  sim_.run();
  sim_.spawn("r", note_after(ps(1), "soon"));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("1000000 never", "1500001 soon"));
}

TEST_F(CancellationTest, WhoWaitsForTheEndOfACancelledProcessGoesOn) {
  const ProcessHandle process = sim_.spawn("p", note_after(ps(100), "never"));
  sim_.spawn("j", join(process));
  sim_.run_until(ps(10));
  process.cancel();
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("10 joined"));
}

TEST_F(CancellationTest, APartIsDestroyedWithItsProcess) {
  const auto held = std::make_shared<int>(1);
  const ProcessHandle process = sim_.spawn("p", hold_part(held));
  sim_.run_until(ps(10));
  EXPECT_GT(held.use_count(), 2);
  process.cancel();
  EXPECT_EQ(held.use_count(), 1);
  event_.trigger();
  sim_.run();
  EXPECT_TRUE(log_.empty());
}

TEST_F(CancellationTest, ACancelledProcessLeavesTheEventsItWaitsFor) {
  Event other("other");
  const ProcessHandle process = sim_.spawn("p", wait_any(other));
  sim_.run_until(ps(10));
  process.cancel();
  event_.trigger();
  other.trigger();
  sim_.run();
  EXPECT_TRUE(log_.empty());
}

TEST_F(CancellationTest, ACancelledPutterTakesItsItemWithIt) {
  ASSERT_TRUE(channel_.try_put(1));
  const ProcessHandle cancelled = sim_.spawn("p2", put(2));
  sim_.spawn("p3", put(3));
  sim_.run_until(ps(10));
  cancelled.cancel();
  EXPECT_EQ(channel_.try_get(), 1);
  EXPECT_EQ(channel_.try_get(), 3);
  EXPECT_EQ(channel_.try_get(), std::nullopt);
  sim_.run();
}

TEST_F(CancellationTest, TheItemOfAGetterThatIsCancelledGoesToTheNext) {
  const ProcessHandle first = sim_.spawn("g1", get("first"));
  sim_.spawn("g2", get("second"));
  sim_.run_until(ps(10));
  ASSERT_TRUE(channel_.try_put(1));  // granted to the first
  first.cancel();
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("10 second 1"));
}

TEST_F(CancellationTest, TheItemOfTheOnlyGetterStaysInTheChannel) {
  const ProcessHandle only = sim_.spawn("g1", get("first"));
  sim_.run_until(ps(10));
  ASSERT_TRUE(channel_.try_put(1));
  only.cancel();
  EXPECT_EQ(channel_.try_get(), 1);
}

TEST_F(CancellationTest, ACancelledHolderGivesItsUnitsBack) {
  const ProcessHandle holder = sim_.spawn("a", use("a", 2));
  sim_.spawn("b", use("b", 1));
  sim_.run_until(ps(3));
  holder.cancel();
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 a", "3 b"));
  EXPECT_EQ(resource_.free_units(), 2U);
}

TEST_F(CancellationTest, UnitsGrantedToACancelledProcessGoToTheNext) {
  const ProcessHandle holder = sim_.spawn("a", use("a", 2));
  const ProcessHandle granted = sim_.spawn("b", use("b", 2));
  sim_.spawn("c", use("c", 1));
  sim_.run_until(ps(4));
  holder.cancel();  // grants the units to b
  EXPECT_EQ(resource_.free_units(), 0U);
  granted.cancel();
  EXPECT_EQ(resource_.free_units(), 1U);
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 a", "4 c"));
}

TEST_F(CancellationTest, ACancelledProcessAtTheHeadNoLongerHoldsTheOthersUp) {
  sim_.spawn("a", use("a", 1));
  const ProcessHandle large = sim_.spawn("b", use("b", 2));
  sim_.spawn("c", use("c", 1));
  sim_.run_until(ps(3));
  large.cancel();
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 a", "3 c"));
}

TEST_F(CancellationTest, AProcessCannotCancelItself) {
  ProcessHandle self;
  self = sim_.spawn("self", cancel_itself(self));
  EXPECT_EQ(message_of<ProcessError>([&] { sim_.run(); }),
            "process 'self' failed at 0 ps: process 'self' cannot cancel itself");
}

}  // namespace
}  // namespace kernbench::model::engine

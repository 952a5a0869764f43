// SPDX-License-Identifier: Apache-2.0
#include "engine_fixture.hpp"

namespace kernbench::model::engine {
namespace {

class OccurrenceTest : public EngineTest {
 protected:
  Process wait_all(std::vector<Occurrence> list) {
    co_await all_of(list);
    note("all");
  }
  Process wait_more_and_more(std::vector<Occurrence> list) {
    for (std::size_t n = 1; n <= list.size(); ++n) {
      co_await all_of(std::span(list).first(n));
      note("all");
    }
  }
  Process wait_any(std::vector<Occurrence> list) {
    const std::size_t first = co_await any_of(list);
    note(fmt::format("any {}", first));
  }
  Process wait_both() {
    co_await all_of(a_, b_);
    note("both");
  }
  Process wait_either() {
    const std::size_t first = co_await any_of(a_, b_);
    note(fmt::format("either {}", first));
  }
  Process wait_none() {
    co_await all_of();
    note("none");
  }
  Process wait_end(ProcessHandle process) {
    co_await process;
    note("joined");
  }
  Process wait_spawned() {
    co_await sim_.spawn("child", note_after(ps(6), "child"));
    note("parent");
  }
  Process trigger_and_reset() {
    co_await sim_.delay(ps(3));
    a_.trigger();
    a_.reset();
    note("reset");
  }
  Process wait_with_timeout(Event& event, common::SimTime limit) {
    const ProcessHandle timer = sim_.spawn("timer", note_after(limit, "late"));
    const std::size_t first = co_await any_of(event, timer);
    timer.cancel();
    note(fmt::format("timeout {}", first));
  }

  Event a_{"a"};
  Event b_{"b"};
};

TEST_F(OccurrenceTest, AnEventLetsAllWaitersGoOnInTheirOrder) {
  sim_.spawn("w1", wait_for(a_, "first"));
  sim_.spawn("w2", wait_for(a_, "second"));
  sim_.spawn("t", trigger_after(ps(9), a_));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("9 first", "9 second"));
  EXPECT_TRUE(a_.triggered());
}

TEST_F(OccurrenceTest, AnEventThatIsTriggeredIsNotWaitedForAndTriggeringItAgainDoesNothing) {
  a_.trigger();
  a_.trigger();
  sim_.spawn("w", wait_for(a_, "at once"));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 at once"));
}

TEST_F(OccurrenceTest, AnEventThatIsResetIsWaitedForAgainAndThoseWokenBeforeStillGoOn) {
  sim_.spawn("w", wait_for(a_, "woken"));
  sim_.spawn("t", trigger_and_reset());
  sim_.run();
  EXPECT_FALSE(a_.triggered());
  sim_.spawn("w2", wait_for(a_, "again"));
  sim_.spawn("t2", trigger_after(ps(2), a_));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("3 reset", "3 woken", "5 again"));
}

TEST_F(OccurrenceTest, AllOfGoesOnAtTheLast) {
  sim_.spawn("w", wait_both());
  sim_.spawn("t1", trigger_after(ps(8), a_));
  sim_.spawn("t2", trigger_after(ps(5), b_));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("8 both"));
}

TEST_F(OccurrenceTest, AllOfCountsThoseThatHappenedBefore) {
  a_.trigger();
  sim_.spawn("w", wait_both());
  sim_.spawn("t", trigger_after(ps(5), b_));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("5 both"));
}

TEST_F(OccurrenceTest, AllOfWhatHappenedBeforeGoesOnAtOnce) {
  a_.trigger();
  b_.trigger();
  sim_.spawn("w", wait_both());
  sim_.spawn("l", wait_all({a_, b_, ProcessHandle()}));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 both", "0 all"));
}

TEST_F(OccurrenceTest, AllOfNothingGoesOnAtOnce) {
  sim_.spawn("w", wait_none());
  sim_.spawn("l", wait_all({}));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 none", "0 all"));
}

TEST_F(OccurrenceTest, AllOfMayNameTheSameEventTwice) {
  sim_.spawn("l", wait_all({a_, a_}));
  sim_.spawn("t", trigger_after(ps(5), a_));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("5 all"));
}

TEST_F(OccurrenceTest, AnyOfGoesOnAtTheFirstAndTellsWhichAndIsNotWokenByTheOthers) {
  sim_.spawn("w", wait_either());
  sim_.spawn("t1", trigger_after(ps(8), a_));
  sim_.spawn("t2", trigger_after(ps(5), b_));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("5 either 1"));
}

TEST_F(OccurrenceTest, AnyOfTriggeredAtTheSameTimeIsTheOneTriggeredFirst) {
  sim_.spawn("w", wait_either());
  sim_.spawn("t1", trigger_after(ps(5), b_));
  sim_.spawn("t2", trigger_after(ps(5), a_));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("5 either 1"));
}

TEST_F(OccurrenceTest, AnyOfWhatHappenedBeforeIsTheFirstNamed) {
  a_.trigger();
  b_.trigger();
  Event never("never");
  sim_.spawn("w", wait_either());
  sim_.spawn("l", wait_any({never, b_, a_}));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 either 0", "0 any 1"));
}

TEST_F(OccurrenceTest, AnyOfNothingIsAnError) {
  sim_.spawn("w", wait_any({}));
  EXPECT_EQ(message_of<ProcessError>([&] { sim_.run(); }),
            "process 'w' failed at 0 ps: any_of an empty list would wait forever");
}

TEST_F(OccurrenceTest, OneProcessWaitsForListsOfGrowingLengthOneAfterAnother) {
  std::vector<Occurrence> list;
  for (int i = 1; i <= 4; ++i) list.emplace_back(sim_.spawn("p", note_after(ps(i * 10), "p")));
  sim_.spawn("w", wait_more_and_more(list));
  sim_.run();
  EXPECT_THAT(log_,
              ElementsAre("10 p", "10 all", "20 p", "20 all", "30 p", "30 all", "40 p", "40 all"));
}

TEST_F(OccurrenceTest, TheEndOfAProcessCanBeAwaited) {
  const ProcessHandle child = sim_.spawn("child", note_after(ps(4), "child"));
  sim_.spawn("w1", wait_end(child));
  sim_.spawn("w2", wait_all({child, a_}));
  sim_.spawn("t", trigger_after(ps(5), a_));
  sim_.run();
  sim_.spawn("late", wait_end(child));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("4 child", "4 joined", "5 all", "5 joined"));
}

TEST_F(OccurrenceTest, AProcessCanBeSpawnedAndAwaitedInOneExpression) {
  sim_.spawn("parent", wait_spawned());
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("6 child", "6 parent"));
}

TEST_F(OccurrenceTest, AWaitWithATimeoutThatIsCancelledLeavesNoTraceInTime) {
  sim_.spawn("w", wait_with_timeout(a_, ps(1000)));
  sim_.spawn("t", trigger_after(ps(5), a_));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("5 timeout 0"));
  EXPECT_EQ(sim_.now(), ps(5));
  sim_.spawn("w", wait_with_timeout(b_, ps(10)));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("5 timeout 0", "15 late", "15 timeout 1"));
}

}  // namespace
}  // namespace kernbench::model::engine

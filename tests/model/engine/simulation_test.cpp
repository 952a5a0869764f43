// SPDX-License-Identifier: Apache-2.0
#include "engine_fixture.hpp"

namespace kernbench::model::engine {
namespace {

class Recorder : public EventHandler {
 public:
  Recorder(Simulation& sim, std::vector<std::string>& log) : sim_(sim), log_(log) {}
  void on_event(EventArgument event) override {
    const std::uint64_t argument = event.number();
    log_.push_back(fmt::format("{} {}", sim_.now().ps(), argument));
    if (argument == 100) sim_.schedule(sim_.now(), *this, 101);
    if (argument == 200) throw std::runtime_error("handler 200");
  }

 private:
  Simulation& sim_;
  std::vector<std::string>& log_;
};

class SimulationTest : public EngineTest {
 protected:
  Recorder recorder_{sim_, log_};
};

TEST_F(SimulationTest, EventsRunInTheOrderOfTimeAndThenOfScheduling) {
  sim_.schedule(ps(20), recorder_, 1);
  sim_.schedule(ps(3), recorder_, 2);
  sim_.schedule(ps(20), recorder_, 3);
  sim_.schedule(ps(0), recorder_, 4);
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 4", "3 2", "20 1", "20 3"));
  EXPECT_EQ(sim_.now(), ps(20));
}

TEST_F(SimulationTest, AnEventForNowRunsAfterThoseThatWereScheduledForNowBefore) {
  sim_.schedule(ps(5), recorder_, 100);
  sim_.schedule(ps(5), recorder_, 1);
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("5 100", "5 1", "5 101"));
}

TEST_F(SimulationTest, NothingCanBeScheduledInThePast) {
  sim_.run_until(ps(10));
  EXPECT_EQ(message_of<std::logic_error>([&] { sim_.schedule(ps(9), recorder_); }),
            "cannot schedule an event at 9 ps: now is 10 ps");
  sim_.schedule(ps(10), recorder_, 1);
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("10 1"));
}

TEST_F(SimulationTest, RunUntilRunsWhatIsDueAtTheEndAndNothingLater) {
  sim_.schedule(ps(10), recorder_, 1);
  sim_.schedule(ps(11), recorder_, 2);
  EXPECT_TRUE(sim_.run_until(ps(10)));
  EXPECT_THAT(log_, ElementsAre("10 1"));
  EXPECT_EQ(sim_.now(), ps(10));
  EXPECT_FALSE(sim_.run_until(ps(5000)));
  EXPECT_THAT(log_, ElementsAre("10 1", "11 2"));
  EXPECT_EQ(sim_.now(), ps(5000));
}

TEST_F(SimulationTest, AfterRunUntilEventsMayBeScheduledBeforeThosePending) {
  sim_.schedule(ps(1'000'000), recorder_, 1);
  EXPECT_TRUE(sim_.run_until(ps(999'000)));
  sim_.schedule(ps(999'001), recorder_, 2);
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("999001 2", "1000000 1"));
}

TEST_F(SimulationTest, RunWithinALimitEndsAtTheLastEventOrStopsAtTheLimit) {
  sim_.schedule(ps(10), recorder_, 1);
  sim_.schedule(ps(5001), recorder_, 2);
  EXPECT_FALSE(sim_.run_within(ps(5000)));
  EXPECT_THAT(log_, ElementsAre("10 1"));
  EXPECT_EQ(sim_.now(), ps(10));
  EXPECT_TRUE(sim_.run_within(ps(9000)));
  EXPECT_THAT(log_, ElementsAre("10 1", "5001 2"));
  EXPECT_EQ(sim_.now(), ps(5001));
}

TEST_F(SimulationTest, RunUntilThePastIsAnError) {
  sim_.run_until(ps(10));
  EXPECT_EQ(message_of<std::logic_error>([&] { sim_.run_until(ps(9)); }),
            "cannot run until 9 ps: now is 10 ps");
}

TEST_F(SimulationTest, WhatAHandlerThrowsPassesThroughAndTheRestCanBeRun) {
  sim_.schedule(ps(1), recorder_, 200);
  sim_.schedule(ps(2), recorder_, 1);
  EXPECT_EQ(message_of<std::runtime_error>([&] { sim_.run(); }), "handler 200");
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("1 200", "2 1"));
}

TEST_F(SimulationTest, AnEventAtTheEndOfTimeRuns) {
  sim_.schedule(common::SimTime::max(), recorder_, 1);
  sim_.run();
  EXPECT_EQ(sim_.now(), common::SimTime::max());
  EXPECT_EQ(log_.size(), 1U);
}

TEST_F(SimulationTest, RunningWithoutAnyEventEndsAtOnce) {
  sim_.run();
  EXPECT_EQ(sim_.now(), ps(0));
}

}  // namespace
}  // namespace kernbench::model::engine

// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "engine_fixture.hpp"

namespace kernbench::model::engine {
namespace {

class ProcessTest : public EngineTest {
 protected:
  Process repeat(std::string what, common::SimTime period, int times) {
    for (int i = 0; i < times; ++i) {
      co_await sim_.delay(period);
      note(what);
    }
  }
  Process of_parts(std::string text) {
    co_await note_after(ps(5), text + " in the first of its parts, with a text of some length");
    co_await nested(text);
    note("end");
  }
  Process nested(std::string text) {
    co_await note_after(ps(2), text);
    co_await note_after(ps(0), text);
  }
  Process fails_after(common::SimTime delay) {
    co_await sim_.delay(delay);
    throw std::runtime_error("no such bank");
  }
  Process throws_an_int() {
    co_await sim_.delay(ps(0));
    throw 7;  // NOLINT(hicpp-exception-baseclass)
  }
  Process catches_part() {
    try {
      co_await fails_after(ps(3));
    } catch (const std::runtime_error& error) {
      note(error.what());
    }
    co_await sim_.delay(ps(1));
    note("goes on");
  }
  Process passes_on() { co_await fails_after(ps(4)); }
  Process spawns(int depth) {
    note(fmt::format("depth {}", depth));
    if (depth < 3) sim_.spawn("child", spawns(depth + 1));
    co_await sim_.delay(ps(1));
    note(fmt::format("end {}", depth));
  }
  Process delays_by(common::SimTime duration) { co_await sim_.delay(duration); }
  Process empty() { co_return; }
};

TEST_F(ProcessTest, DelaysAreExact) {
  sim_.spawn("a", repeat("a", ps(7), 3));
  sim_.spawn("b", repeat("b", ps(10), 2));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("7 a", "10 b", "14 a", "20 b", "21 a"));
  EXPECT_EQ(sim_.now(), ps(21));
  EXPECT_EQ(sim_.processes(), 0U);
}

TEST_F(ProcessTest, ProcessesStartInTheOrderOfSpawningAndTiesKeepIt) {
  sim_.spawn("a", repeat("a", ps(0), 2));
  sim_.spawn("b", repeat("b", ps(0), 2));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 a", "0 b", "0 a", "0 b"));
}

TEST_F(ProcessTest, AProcessSpawnedByAnotherStartsAtThatTimeAfterItsSpawner) {
  sim_.spawn("root", spawns(1));
  sim_.run();
  EXPECT_THAT(log_,
              ElementsAre("0 depth 1", "0 depth 2", "0 depth 3", "1 end 1", "1 end 2", "1 end 3"));
}

TEST_F(ProcessTest, APartRunsInPlaceAndTheRestGoesOnWhenItEnds) {
  sim_.spawn("whole", of_parts("x"));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("5 x in the first of its parts, with a text of some length", "7 x",
                                "7 x", "7 end"));
}

TEST_F(ProcessTest, AnExceptionOfAPartCanBeCaughtByTheProcess) {
  sim_.spawn("careful", catches_part());
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("3 no such bank", "4 goes on"));
}

TEST_F(ProcessTest, AnExceptionEndsTheRunNamingTheProcessWithTheOriginalNested) {
  sim_.spawn("a", repeat("a", ps(10), 2));
  sim_.spawn("hbm", fails_after(ps(12)));
  try {
    sim_.run();
    FAIL();
  } catch (const ProcessError& error) {
    EXPECT_STREQ(error.what(), "process 'hbm' failed at 12 ps: no such bank");
    EXPECT_EQ(error.process(), "hbm");
    EXPECT_EQ(message_of<std::runtime_error>([&] { std::rethrow_if_nested(error); }),
              "no such bank");
  }
  EXPECT_EQ(sim_.now(), ps(12));
  EXPECT_EQ(sim_.processes(), 1U);
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("10 a", "20 a"));
}

TEST_F(ProcessTest, AnExceptionOfAPartNamesTheProcess) {
  sim_.spawn("outer", passes_on());
  EXPECT_EQ(message_of<ProcessError>([&] { sim_.run_until(ps(9)); }),
            "process 'outer' failed at 4 ps: no such bank");
}

TEST_F(ProcessTest, WhatIsThrownNeedNotBeAnException) {
  sim_.spawn("odd", throws_an_int());
  EXPECT_EQ(message_of<ProcessError>([&] { sim_.run(); }),
            "process 'odd' failed at 0 ps: an exception that is not a std::exception");
}

TEST_F(ProcessTest, ADelayIsNeitherNegativeNorBeyondTheEndOfTime) {
  sim_.spawn("early", delays_by(ps(-1)));
  EXPECT_EQ(message_of<ProcessError>([&] { sim_.run(); }),
            "process 'early' failed at 0 ps: cannot delay by -1 ps at 0 ps");
  sim_.run_until(ps(1));
  sim_.spawn("late", delays_by(common::SimTime::max()));
  EXPECT_EQ(message_of<ProcessError>([&] { sim_.run(); }),
            "process 'late' failed at 1 ps: cannot delay by 9223372036854775807 ps at 1 ps");
}

TEST_F(ProcessTest, AHandleTellsTheNameUntilTheEnd) {
  const ProcessHandle handle = sim_.spawn("dma", repeat("a", ps(1), 1));
  EXPECT_FALSE(handle.ended());
  EXPECT_EQ(handle.name(), "dma");
  sim_.run();
  EXPECT_TRUE(handle.ended());
  EXPECT_EQ(handle.name(), "");
  EXPECT_TRUE(ProcessHandle().ended());
}

TEST_F(ProcessTest, AHandleOfAnEndedProcessDoesNotReferToALaterOne) {
  const ProcessHandle first = sim_.spawn("first", empty());
  sim_.run();
  const ProcessHandle second = sim_.spawn("second", repeat("second", ps(1), 1));
  first.cancel();
  EXPECT_TRUE(first.ended());
  EXPECT_FALSE(second.ended());
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("1 second"));
}

TEST_F(ProcessTest, AProcessCanBeSpawnedOnce) {
  Process process = empty();
  sim_.spawn("first", std::move(process));
  EXPECT_EQ(message_of<std::logic_error>([&] {
              sim_.spawn("second", std::move(process));  // NOLINT(bugprone-use-after-move): meant
            }),
            "process 'second' was moved from before it started");
  sim_.run();
}

TEST_F(ProcessTest, AProcessThatIsNeverSpawnedNeverRuns) {
  { const Process process = note_after(ps(0), "never"); }
  sim_.run();
  EXPECT_TRUE(log_.empty());
}

}  // namespace
}  // namespace kernbench::model::engine

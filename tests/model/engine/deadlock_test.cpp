// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "engine_fixture.hpp"

namespace kernbench::model::engine {
namespace {

class DeadlockTest : public EngineTest {
 protected:
  Process take_both(Resource& first, Resource& second) {
    const Lease a = co_await first.acquire();
    co_await sim_.delay(ps(5));
    const Lease b = co_await second.acquire();
  }
  Process get(Channel<int>& channel) { (void)co_await channel.get(); }
  Process get_at(common::SimTime at, Channel<int>& channel) {
    co_await sim_.delay(at);
    (void)co_await channel.get();
  }
  Process put_two(Channel<int>& channel) {
    co_await channel.put(1);
    co_await channel.put(2);
  }
  Process wait_all(Event& a, Event& b, ProcessHandle process) { co_await all_of(a, b, process); }
  Process wait_any(Event& a, Event& b) { co_await any_of(a, b); }
  Process serve(Channel<int>& channel) {
    for (;;) note(fmt::format("served {}", co_await channel.get()));
  }
  Process keep(Resource& resource, Lease& place) {
    Lease lease = co_await resource.acquire();
    place = std::move(lease);
  }

  std::string deadlock() {
    return message_of<Deadlock>([&] { sim_.run(); });
  }
};

TEST_F(DeadlockTest, WithinALimitHasTheTimeAtWhichThingsStopped) {
  Channel<int> empty(sim_, "empty");
  sim_.spawn("late", get_at(ps(7), empty));
  EXPECT_EQ(message_of<Deadlock>([&] { (void)sim_.run_within(ps(1'000'000)); }),
            "deadlock at 7 ps: nothing is scheduled, and 1 process has to wait\n"
            "  'late' waits for an item in channel 'empty'");
}

TEST_F(DeadlockTest, TwoProcessesThatHoldWhatTheOtherNeedsAreListed) {
  Resource hbm(sim_, "hbm", 1);
  Resource tcm(sim_, "tcm", 1);
  sim_.spawn("dma0", take_both(hbm, tcm));
  sim_.spawn("dma1", take_both(tcm, hbm));
  EXPECT_EQ(deadlock(),
            "deadlock at 5 ps: nothing is scheduled, and 2 processes have to wait\n"
            "  'dma0' waits for 1 of resource 'tcm' (0 of 1 free), held by 'dma1'\n"
            "  'dma1' waits for 1 of resource 'hbm' (0 of 1 free), held by 'dma0'");
}

TEST_F(DeadlockTest, EveryKindOfWaitSaysWhatItWaitsFor) {
  Event a("a");
  Event b("b");
  b.trigger();
  Channel<int> empty(sim_, "empty");
  Channel<int> full(sim_, "full", 1);
  const ProcessHandle p = sim_.spawn("p", wait_for(a, "never"));
  sim_.spawn("get", get(empty));
  sim_.spawn("put", put_two(full));
  sim_.spawn("all", wait_all(a, b, p));
  b.reset();
  sim_.spawn("any", wait_any(a, b));
  try {
    sim_.run();
    FAIL();
  } catch (const Deadlock& error) {
    std::vector<std::string> list;
    for (const WaitingProcess& entry : error.waiting()) {
      list.push_back(entry.process + ": " + entry.waits_for);
      EXPECT_FALSE(entry.is_service);
    }
    EXPECT_THAT(list, ElementsAre("p: event 'a'", "get: an item in channel 'empty'",
                                  "put: room in channel 'full', which holds 1",
                                  "all: all of event 'a', event 'b', the end of process 'p'",
                                  "any: any of event 'a', event 'b'"));
  }
}

TEST_F(DeadlockTest, OnlyWhatIsStillMissingIsListed) {
  Event a("a");
  Event b("b");
  a.trigger();
  sim_.spawn("all", wait_all(a, b, ProcessHandle()));
  EXPECT_EQ(deadlock(),
            "deadlock at 0 ps: nothing is scheduled, and 1 process has to wait\n"
            "  'all' waits for all of event 'b'");
}

TEST_F(DeadlockTest, AServiceThatWaitsIsNoDeadlock) {
  Channel<int> requests(sim_, "requests");
  sim_.spawn_service("server", serve(requests));
  sim_.spawn("client", put_two(requests));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 served 1", "0 served 2"));
  EXPECT_EQ(sim_.processes(), 1U);
}

TEST_F(DeadlockTest, ServicesAreListedAfterTheProcessesThatWait) {
  Channel<int> requests(sim_, "requests");
  Channel<int> replies(sim_, "replies");
  sim_.spawn_service("server", serve(requests));
  sim_.spawn("client", get(replies));
  EXPECT_EQ(deadlock(),
            "deadlock at 0 ps: nothing is scheduled, and 2 processes have to wait\n"
            "  'client' waits for an item in channel 'replies'\n"
            "  service 'server' waits for an item in channel 'requests'");
}

TEST_F(DeadlockTest, WhatIsGoneOrHeldByNobodyIsSaid) {
  std::optional<Event> event(std::in_place, "short");
  std::optional<Channel<int>> channel(std::in_place, sim_, "short", 1);
  Resource lost(sim_, "lost", 1);
  Lease place;
  Lease kept;
  sim_.spawn("keeps", keep(lost, place));
  sim_.spawn("lost", keep(lost, kept));
  sim_.spawn("e", wait_for(*event, "never"));
  sim_.spawn("g", get(*channel));
  EXPECT_FALSE(sim_.run_until(ps(1)));
  event.reset();
  channel.reset();
  EXPECT_EQ(deadlock(),
            "deadlock at 1 ps: nothing is scheduled, and 3 processes have to wait\n"
            "  'lost' waits for 1 of resource 'lost' (0 of 1 free), held by a process that has "
            "ended\n"
            "  'e' waits for a destroyed event\n"
            "  'g' waits for a destroyed channel");
}

TEST_F(DeadlockTest, ALongListIsCutInTheTextOnly) {
  Event never("never");
  for (int i = 0; i < 23; ++i) sim_.spawn(fmt::format("p{}", i), wait_for(never, "never"));
  try {
    sim_.run();
    FAIL();
  } catch (const Deadlock& error) {
    EXPECT_EQ(error.waiting().size(), 23U);
    EXPECT_THAT(error.what(), testing::EndsWith("\n  'p19' waits for event 'never'\n  and 3 more"));
  }
}

TEST_F(DeadlockTest, RunUntilLeavesProcessesWaitingForTheCaller) {
  Event event("event");
  sim_.spawn("p", wait_for(event, "woken"));
  EXPECT_FALSE(sim_.run_until(ps(5)));
  event.trigger();
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("5 woken"));
}

}  // namespace
}  // namespace kernbench::model::engine

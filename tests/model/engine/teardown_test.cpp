// SPDX-License-Identifier: Apache-2.0
// Simulations destroyed with processes in every kind of wait. The address sanitizer detects leaks
// and uses after free.
#include <memory>
#include <optional>

#include "engine_fixture.hpp"

namespace kernbench::model::engine {
namespace {

/// Logs its destruction.
class Witness {
 public:
  Witness(std::vector<std::string>& log, std::string name) : log_(log), name_(std::move(name)) {}
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  ~Witness() { log_.push_back(name_); }

 private:
  std::vector<std::string>& log_;
  std::string name_;
};

struct World {
  explicit World(Simulation& sim)
      : event("event"), channel(sim, "channel", 1), resource(sim, "resource", 1) {}
  Event event;
  Channel<std::unique_ptr<int>> channel;
  Resource resource;
};

Process delays(Simulation& sim, std::vector<std::string>& log, std::string name) {
  const Witness witness(log, name);
  co_await sim.delay(ps(1'000'000));
}
Process waits(World& world, std::vector<std::string>& log, std::string name) {
  const Witness witness(log, name);
  co_await world.event;
}
Process waits_in_part(World& world, std::vector<std::string>& log, std::string name) {
  const Witness witness(log, name);
  co_await waits(world, log, name + "'s part");
}
Process puts(World& world, std::vector<std::string>& log, std::string name) {
  const Witness witness(log, name);
  for (int i = 0;; ++i) co_await world.channel.put(std::make_unique<int>(i));
}
Process gets(Channel<std::unique_ptr<int>>& channel, std::vector<std::string>& log,
             std::string name) {
  const Witness witness(log, name);
  for (;;) (void)co_await channel.get();
}
Process holds(Simulation& sim, World& world, std::vector<std::string>& log, std::string name) {
  const Witness witness(log, name);
  const Lease lease = co_await world.resource.acquire();
  co_await sim.delay(ps(1'000'000));
}
Process triggers_at_its_end(World& world, std::vector<std::string>& log, std::string name) {
  struct Trigger {
    Event& event;
    ~Trigger() { event.trigger(); }
  };
  const Witness witness(log, name);
  const Trigger trigger{world.event};
  Event never("never");
  co_await any_of(never, world.event);
}

void populate(Simulation& sim, World& world, std::vector<std::string>& log) {
  sim.spawn("delays", delays(sim, log, "delays"));
  sim.spawn("waits", waits(world, log, "waits"));
  sim.spawn("in part", waits_in_part(world, log, "in part"));
  sim.spawn("puts", puts(world, log, "puts"));
  sim.spawn("holds", holds(sim, world, log, "holds"));
  sim.spawn("wants", holds(sim, world, log, "wants"));
}

const auto kYoungestFirst =
    ElementsAre("wants", "holds", "puts", "in part's part", "in part", "waits", "delays");

TEST(Teardown, ProcessesThatWaitAreDestroyedTheYoungestFirst) {
  std::vector<std::string> log;
  {
    std::optional<Simulation> sim(std::in_place);
    World world(*sim);
    populate(*sim, world, log);
    sim->run_until(ps(5));
    EXPECT_TRUE(log.empty());
    sim.reset();
    EXPECT_THAT(log, kYoungestFirst);
  }
}

TEST(Teardown, WhatProcessesWaitForMayBeDestroyedBeforeTheSimulation) {
  std::vector<std::string> log;
  {
    Simulation sim;
    std::optional<World> world(std::in_place, sim);
    populate(sim, *world, log);
    sim.run_until(ps(5));
    world.reset();
    EXPECT_TRUE(log.empty());
  }
  EXPECT_THAT(log, kYoungestFirst);
}

TEST(Teardown, ProcessesThatNeverStartedAreDestroyed) {
  std::vector<std::string> log;
  {
    Simulation sim;
    World world(sim);
    populate(sim, world, log);
  }
  EXPECT_TRUE(log.empty());
}

TEST(Teardown, NobodyIsWokenByWhatADestroyedProcessDoes) {
  std::vector<std::string> log;
  {
    std::optional<Simulation> sim(std::in_place);
    World world(*sim);
    sim->spawn("waits", waits(world, log, "waits"));
    sim->spawn("triggers", triggers_at_its_end(world, log, "triggers"));
    sim->run_until(ps(5));
    sim.reset();
    EXPECT_TRUE(world.event.triggered());
  }
  EXPECT_THAT(log, ElementsAre("triggers", "waits"));
}

TEST(Teardown, ProcessesThatWereGrantedSomethingAreDestroyedBeforeTheyGoOn) {
  std::vector<std::string> log;
  {
    std::optional<Simulation> sim(std::in_place);
    std::optional<World> world(std::in_place, *sim);
    sim->spawn("gets", gets(world->channel, log, "gets"));
    const ProcessHandle holder = sim->spawn("holds", holds(*sim, *world, log, "holds"));
    sim->spawn("wants", holds(*sim, *world, log, "wants"));
    sim->run_until(ps(5));
    ASSERT_TRUE(world->channel.try_put(std::make_unique<int>(7)));
    holder.cancel();
    world.reset();
    sim.reset();
  }
  EXPECT_THAT(log, ElementsAre("holds", "wants", "gets"));
}

TEST(Teardown, AProcessThatGoesOnWithWhatWasDestroyedFails) {
  std::vector<std::string> log;
  Simulation sim;
  std::optional<World> world(std::in_place, sim);
  sim.spawn("gets", gets(world->channel, log, "gets"));
  sim.run_until(ps(5));
  ASSERT_TRUE(world->channel.try_put(std::make_unique<int>(7)));
  world.reset();
  EXPECT_EQ(message_of<ProcessError>([&] { sim.run(); }),
            "process 'gets' failed at 5 ps: the channel was destroyed while an item was granted");

  world.emplace(sim);
  const ProcessHandle holder = sim.spawn("holds", holds(sim, *world, log, "holds"));
  sim.spawn("wants", holds(sim, *world, log, "wants"));
  sim.run_until(ps(6));
  holder.cancel();
  world.reset();
  EXPECT_EQ(message_of<ProcessError>([&] { sim.run(); }),
            "process 'wants' failed at 6 ps: the resource was destroyed while it was granted");
}

TEST(Teardown, AfterAFailureTheOthersAreDestroyed) {
  std::vector<std::string> log;
  const auto fails = [](Simulation& sim) -> Process {
    co_await sim.delay(ps(1));
    throw std::runtime_error("broken");
  };
  {
    Simulation sim;
    World world(sim);
    populate(sim, world, log);
    sim.spawn("fails", fails(sim));
    EXPECT_THROW(sim.run(), ProcessError);
  }
  EXPECT_THAT(log, kYoungestFirst);
}

}  // namespace
}  // namespace kernbench::model::engine

// SPDX-License-Identifier: Apache-2.0
// Plain code that waits in simulated time. Sanitizer builds detect a use after free and a switch of
// stacks that the sanitizer was not told of.
#include "model/engine/fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine_fixture.hpp"

namespace kernbench::model::engine {
namespace {

class FiberTest : public EngineTest {
 protected:
  /// Logs its destruction, i.e. the end of the scope that it is a local variable of.
  struct Noted {
    Noted(FiberTest& its_test, std::string its_name) : test(its_test), name(std::move(its_name)) {}
    Noted(const Noted&) = delete;
    Noted& operator=(const Noted&) = delete;
    ~Noted() { test.note(name + " is gone"); }
    FiberTest& test;
    std::string name;
  };

  Event first_{"first"};
  Event second_{"second"};
};

TEST_F(FiberTest, GoesOnWhenWhatItWaitsForHappens) {
  sim_.spawn("fiber", run_on_fiber([this](Fiber& fiber) {
               note("begins");
               fiber.wait(first_);
               note("goes on");
               fiber.wait(second_);
               note("ends");
             }));
  sim_.spawn("a", trigger_after(ps(10), first_));
  sim_.spawn("b", trigger_after(ps(30), second_));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 begins", "10 goes on", "30 ends"));
}

TEST_F(FiberTest, GoesOnAtOnceWhenItHasHappenedAlready) {
  first_.trigger();
  Fiber fiber([this](Fiber& self) { self.wait(first_); });
  EXPECT_EQ(fiber.resume(), nullptr);
}

int depth_sum(Fiber& fiber, Event& event, int depth) {
  if (depth == 0) {
    fiber.wait(event);
    return 0;
  }
  return depth_sum(fiber, event, depth - 1) + depth;
}

TEST_F(FiberTest, WaitsWithinFunctionsThatKnowNothingOfIt) {
  int sum = 0;
  sim_.spawn("fiber", run_on_fiber([&](Fiber& fiber) { sum = depth_sum(fiber, first_, 100); }));
  sim_.spawn("a", trigger_after(ps(10), first_));
  sim_.run();
  EXPECT_EQ(sum, 5'050);
}

TEST_F(FiberTest, AThousandAtATime) {
  constexpr int kFibers = 1'000;
  int ended = 0;
  for (int i = 0; i < kFibers; ++i) {
    sim_.spawn("fiber", run_on_fiber([&](Fiber& fiber) {
                 fiber.wait(first_);
                 fiber.wait(second_);
                 ++ended;
               }));
  }
  sim_.spawn("a", trigger_after(ps(10), first_));
  sim_.spawn("b", trigger_after(ps(20), second_));
  sim_.run();
  EXPECT_EQ(ended, kFibers);
}

TEST_F(FiberTest, MayBeAPartOfAProcessThatGoesOnAndHasMoreOfThem) {
  const auto waits_for = [this](Event& event) {
    return run_on_fiber([&](Fiber& fiber) {
      fiber.wait(event);
      note("the fiber goes on");
    });
  };
  const auto process = [&]() -> Process {
    co_await run_on_fiber([this](Fiber& /*fiber*/) { note("never waits"); });
    co_await waits_for(first_);
    co_await sim_.delay(ps(5));
    note("the process goes on");
    co_await waits_for(second_);
    co_await sim_.delay(ps(5));
    note("the process ends");
  };
  sim_.spawn("process", process());
  sim_.spawn("a", trigger_after(ps(10), first_));
  sim_.spawn("b", trigger_after(ps(30), second_));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 never waits", "10 the fiber goes on", "15 the process goes on",
                                "30 the fiber goes on", "35 the process ends"));
}

TEST_F(FiberTest, ThatIsCancelledIsUnwoundAndLeavesNothingToTheNextProcess) {
  const ProcessHandle cancelled = sim_.spawn("fiber", run_on_fiber([this](Fiber& fiber) {
                                               const Noted noted(*this, "a local");
                                               fiber.wait(first_);
                                             }));
  const auto next = [this]() -> Process {
    note("the next begins");
    co_await second_;
    note("the next goes on");
  };
  const auto others = [&]() -> Process {
    co_await sim_.delay(ps(10));
    cancelled.cancel();
    sim_.spawn("next", next());  // reuses the process record of the fiber
    co_await sim_.delay(ps(10));
    first_.trigger();
    second_.trigger();
  };
  sim_.spawn("others", others());
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("10 a local is gone", "10 the next begins", "20 the next goes on"));
}

TEST_F(FiberTest, PassesOnWhatItsBodyThrows) {
  sim_.spawn("fiber", run_on_fiber([this](Fiber& fiber) {
               const Noted noted(*this, "a local");
               fiber.wait(first_);
               throw std::out_of_range("too far");
             }));
  sim_.spawn("a", trigger_after(ps(10), first_));
  EXPECT_EQ(message_of<ProcessError>([this] { sim_.run(); }),
            "process 'fiber' failed at 10 ps: too far");
  EXPECT_THAT(log_, ElementsAre("10 a local is gone"));
}

TEST_F(FiberTest, CannotGoOnWhenItHasEnded) {
  Fiber fiber([](Fiber& /*self*/) {});
  EXPECT_EQ(fiber.resume(), nullptr);
  EXPECT_EQ(message_of<std::logic_error>([&] { (void)fiber.resume(); }),
            "a fiber that has ended cannot be resumed");
}

TEST_F(FiberTest, ThatNeverBeganLeavesNothingBehind) {
  const auto held = std::make_shared<int>(1);
  {
    const Fiber fiber([held](Fiber& /*self*/) {});
  }
  EXPECT_EQ(held.use_count(), 1);
}

TEST_F(FiberTest, UnwindsItsStackWhenItIsDestroyedWhileItWaits) {
  {
    Fiber fiber([this](Fiber& self) {
      const Noted outer(*this, "outer");
      const auto inner = std::make_unique<Noted>(*this, "inner");
      self.wait(first_);
      note("never");
    });
    EXPECT_EQ(fiber.resume(), &first_);
  }
  EXPECT_THAT(log_, ElementsAre("0 inner is gone", "0 outer is gone"));
}

TEST_F(FiberTest, IsUnwoundByTheEndOfTheSimulation) {
  auto simulation = std::make_unique<Simulation>();
  simulation->spawn("fiber", run_on_fiber([this](Fiber& fiber) {
                      const Noted noted(*this, "a local");
                      fiber.wait(first_);
                    }));
  EXPECT_EQ(message_of<Deadlock>([&] { simulation->run(); }),
            "deadlock at 0 ps: nothing is scheduled, and 1 process has to wait\n"
            "  'fiber' waits for event 'first'");
  EXPECT_THAT(log_, ElementsAre());
  simulation.reset();
  EXPECT_THAT(log_, ElementsAre("0 a local is gone"));
}

TEST_F(FiberTest, IsUnwoundWhileItsCallerIsUnwoundToo) {
  try {
    Fiber fiber([this](Fiber& self) {
      const Noted noted(*this, "a local");
      EXPECT_EQ(std::uncaught_exceptions(), 0);
      self.wait(first_);
    });
    (void)fiber.resume();
    throw std::runtime_error("of the caller");
  } catch (const std::runtime_error& error) {
    note(error.what());
  }
  EXPECT_THAT(log_, ElementsAre("0 a local is gone", "0 of the caller"));
}

TEST_F(FiberTest, CodeThatSwallowsTheUnwindingCannotWaitAgain) {
  {
    Fiber fiber([this](Fiber& self) {
      try {
        self.wait(first_);
      } catch (...) {
        note("swallowed");
      }
      self.wait(first_);
      note("never");
    });
    (void)fiber.resume();
  }
  EXPECT_THAT(log_, ElementsAre("0 swallowed"));
}

TEST_F(FiberTest, CodeThatSwallowsTheUnwindingMayThrowOrEnd) {
  for (const bool throws : {false, true}) {
    Fiber fiber([&](Fiber& self) {
      try {
        self.wait(first_);
      } catch (...) {
        if (throws) throw std::runtime_error("something else");
      }
    });
    EXPECT_EQ(fiber.resume(), &first_);
  }
}

TEST_F(FiberTest, MayWaitWhileItHandlesAnException) {
  const auto body = [this](const char* what) {
    return [this, what](Fiber& fiber) {
      try {
        throw std::runtime_error(what);
      } catch (const std::runtime_error&) {
        fiber.wait(first_);
        try {
          throw;  // the exception that this fiber handles
        } catch (const std::runtime_error& again) {
          note(again.what());
        }
      }
    };
  };
  sim_.spawn("x", run_on_fiber(body("x")));
  sim_.spawn("y", run_on_fiber(body("y")));
  sim_.spawn("a", trigger_after(ps(10), first_));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("10 x", "10 y"));
  EXPECT_EQ(std::current_exception(), nullptr);
}

/// Returns where a variable of a fiber's body is that runs to its end.
std::uintptr_t place_of_a_local(std::size_t stack_bytes = kFiberStackBytes) {
  std::uintptr_t place = 0;
  Fiber fiber(
      [&place](Fiber& /*self*/) {
        const volatile int local = 0;
        place = reinterpret_cast<std::uintptr_t>(&local);
      },
      stack_bytes);
  EXPECT_EQ(fiber.resume(), nullptr);
  return place;
}

TEST(StackOfAFiber, IsThatOfTheLastOneThatEndedInThisThread) {
  const std::uintptr_t place = place_of_a_local();
  EXPECT_EQ(place_of_a_local(), place);
  EXPECT_NE(place_of_a_local(2 * kFiberStackBytes), place);
  std::uintptr_t elsewhere = 0;
  std::thread([&elsewhere] { elsewhere = place_of_a_local(); }).join();
  EXPECT_NE(elsewhere, place);
  EXPECT_EQ(place_of_a_local(), place);
}

TEST(StackOfAFiber, IsNotSharedByTwoThatWait) {
  Event event{"event"};
  std::vector<std::uintptr_t> places;
  const auto body = [&](Fiber& fiber) {
    const volatile int local = 0;
    places.push_back(reinterpret_cast<std::uintptr_t>(&local));
    fiber.wait(event);
  };
  for (int round = 0; round < 2; ++round) {
    Fiber one(body);
    Fiber other(body);
    EXPECT_EQ(one.resume(), &event);
    EXPECT_EQ(other.resume(), &event);
  }
  ASSERT_EQ(places.size(), 4U);
  EXPECT_NE(places[0], places[1]);
  EXPECT_NE(places[2], places[3]);
}

bool is_mapped(std::uintptr_t place) {
  const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return msync(reinterpret_cast<void*>(place - place % page_bytes), page_bytes, MS_ASYNC) == 0;
}

TEST(StackOfAFiber, IsFreedWithItsThread) {
  std::uintptr_t of_last = 0;
  std::uintptr_t kept = 0;
  std::thread([&of_last, &kept] {
    thread_local std::unique_ptr<Fiber> last;  // destroyed after the stacks that were kept
    last = std::make_unique<Fiber>([&of_last](Fiber& /*self*/) {
      const volatile int local = 0;
      of_last = reinterpret_cast<std::uintptr_t>(&local);
    });
    EXPECT_EQ(last->resume(), nullptr);
    kept = place_of_a_local();
    EXPECT_TRUE(is_mapped(of_last));
    EXPECT_TRUE(is_mapped(kept));
  }).join();
  EXPECT_NE(kept, of_last);
  EXPECT_FALSE(is_mapped(of_last));
  EXPECT_FALSE(is_mapped(kept));
}

TEST(RunningFiber, IsTheInnermostOneOfThisThread) {
  Event event("event");
  const Fiber* seen_by_inner = nullptr;
  const Fiber* seen_after_inner = nullptr;
  Fiber inner([&](Fiber& self) {
    seen_by_inner = Fiber::running();
    self.wait(event);
  });
  Fiber outer([&](Fiber& self) {
    (void)inner.resume();
    seen_after_inner = Fiber::running();
    self.wait(event);
  });
  EXPECT_EQ(Fiber::running(), nullptr);
  (void)outer.resume();
  EXPECT_EQ(seen_by_inner, &inner);
  EXPECT_EQ(seen_after_inner, &outer);
  EXPECT_EQ(Fiber::running(), nullptr);
}

TEST(RunningFiber, HasAGuardPageBelowItsStack) {
  const char* top = nullptr;
  Fiber fiber([&](Fiber& /*self*/) { top = static_cast<const char*>(__builtin_frame_address(0)); });
  (void)fiber.resume();
  EXPECT_EQ(fiber.stack_bytes(), kFiberStackBytes);
  EXPECT_FALSE(fiber.is_in_guard_page(top));
  // `top` is within the first page of the stack.
  EXPECT_TRUE(fiber.is_in_guard_page(top - kFiberStackBytes));
  EXPECT_FALSE(fiber.is_in_guard_page(top + kFiberStackBytes));
  EXPECT_FALSE(fiber.is_in_guard_page(nullptr));
}

}  // namespace
}  // namespace kernbench::model::engine

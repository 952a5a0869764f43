// SPDX-License-Identifier: Apache-2.0
// Counts allocations: a running simulation allocates nothing after it has reached its peak load.
#include <atomic>
#include <cstdlib>
#include <new>

#include "common/random.hpp"
#include "engine_fixture.hpp"

namespace {
std::atomic<std::uint64_t> allocations{0};
}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;  // NOLINT(*-no-malloc): it is the allocator
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}  // NOLINT(*-no-malloc)
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}  // NOLINT

namespace kernbench::model::engine {
namespace {

class AllocationTest : public EngineTest {
 protected:
  std::uint64_t allocations_until(common::SimTime end) {
    const std::uint64_t before = allocations;
    EXPECT_TRUE(sim_.run_until(end));
    return allocations - before;
  }

  Process delay_for_ever(std::uint64_t seed) {
    common::Rng rng = common::Rng::stream(seed, "allocation");
    for (;;) {
      co_await sim_.delay(ps(static_cast<std::int64_t>(rng.bits64() % 1000)));
      ++steps_;
    }
  }
  Process produce() {
    for (;;) {
      const Lease lease = co_await resource_.acquire();
      co_await channel_.put(1);
      co_await sim_.delay(ps(3));
    }
  }
  Process consume() {
    for (;;) {
      steps_ += co_await channel_.get();
      co_await sim_.delay(ps(5));
    }
  }
  Process meet(Event& mine, Event& other) {
    const std::vector<Occurrence> both{mine, other};
    for (;;) {
      co_await sim_.delay(ps(2));
      mine.trigger();
      co_await all_of(both);
      co_await sim_.delay(ps(1));
      mine.reset();
      ++steps_;
    }
  }

  std::uint64_t steps_ = 0;
  Resource resource_{sim_, "resource", 1};
  Channel<std::uint64_t> channel_{sim_, "channel", 2};
};

TEST_F(AllocationTest, DelaysAllocateNothing) {
  const std::uint64_t before = allocations;
  for (std::uint64_t i = 0; i < 50; ++i) sim_.spawn("p", delay_for_ever(i));
  EXPECT_GT(allocations, before);
  EXPECT_EQ(allocations_until(ps(100'000)), 0U);
  EXPECT_GT(steps_, 5000U);
}

TEST_F(AllocationTest, ChannelsAndResourcesAllocateNothing) {
  for (int i = 0; i < 5; ++i) sim_.spawn("p", produce());
  for (int i = 0; i < 3; ++i) sim_.spawn("c", consume());
  allocations_until(ps(100));
  EXPECT_EQ(allocations_until(ps(10'000)), 0U);
  EXPECT_GT(steps_, 1000U);
}

TEST_F(AllocationTest, ListsOfEventsAllocateNothing) {
  Event a("a");
  Event b("b");
  sim_.spawn("p", meet(a, b));
  sim_.spawn("q", meet(b, a));
  allocations_until(ps(100));
  EXPECT_EQ(allocations_until(ps(10'000)), 0U);
  EXPECT_GT(steps_, 1000U);
}

TEST_F(AllocationTest, AnIdleProcessTakesLessThanAKilobyte) {
  // One record. The frame of a process of ten locals is far smaller than the rest of the kilobyte.
  EXPECT_LE(sizeof(ProcessRecord) + sizeof(EventRecord), 256U);
}

}  // namespace
}  // namespace kernbench::model::engine

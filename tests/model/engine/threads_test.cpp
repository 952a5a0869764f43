// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <thread>

#include "common/hash.hpp"
#include "common/random.hpp"
#include "engine_fixture.hpp"

namespace kernbench::model::engine {
namespace {

/// A model with random delays, a shared resource and a bounded channel. run() hashes all its steps.
class Traffic {
 public:
  std::uint64_t run(std::uint64_t seed) {
    for (std::uint64_t i = 0; i < 20; ++i) {
      sim_.spawn("producer", produce(common::Rng::stream(seed, "engine", i), i));
      sim_.spawn("consumer", consume(i));
    }
    sim_.run();
    return hash_.value();
  }

 private:
  Process produce(common::Rng rng, std::uint64_t id) {
    for (std::uint64_t n = 0; n < 200; ++n) {
      co_await sim_.delay(ps(static_cast<std::int64_t>(rng.bits64() % 64)));
      const Lease lease = co_await resource_.acquire(1 + rng.bits64() % 3);
      co_await sim_.delay(ps(static_cast<std::int64_t>(rng.bits64() % 16)));
      co_await channel_.put(id);
      step(id);
    }
  }
  Process consume(std::uint64_t id) {
    for (std::uint64_t n = 0; n < 200; ++n) {
      step(co_await channel_.get());
      co_await sim_.delay(ps(9));
      step(id);
    }
  }
  void step(std::uint64_t what) {
    hash_.add(static_cast<std::uint64_t>(sim_.now().ps()));
    hash_.add(what);
  }

  Simulation sim_;
  Resource resource_{sim_, "resource", 4};
  Channel<std::uint64_t> channel_{sim_, "channel", 8};
  common::RunHash hash_;
};

TEST(Threads, SimulationsInThreadsGiveTheTraceThatOneAloneGives) {
  const std::uint64_t alone = Traffic().run(1);
  const std::uint64_t other_seed = Traffic().run(2);
  EXPECT_NE(alone, other_seed);
  std::array<std::uint64_t, 4> hashes{};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    threads.emplace_back([&hashes, i] { hashes[i] = Traffic().run(1 + i % 2); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(hashes, ElementsAre(alone, other_seed, alone, other_seed));
}

TEST(Threads, TheTraceIsTheSameOnEveryCompilerAndMachine) {
  EXPECT_EQ(fmt::format("{:016x}", Traffic().run(1)), "eaaac7166ac7f808");
}

}  // namespace
}  // namespace kernbench::model::engine

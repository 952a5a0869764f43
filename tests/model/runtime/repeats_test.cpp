// SPDX-License-Identifier: Apache-2.0
// Repeated work takes the time of the first work of its key, alone and with members that begin it
// at different times. One work of each key is simulated again.
#include "model/runtime/repeats.hpp"
#include "runtime_fixture.hpp"

namespace kernbench::model::runtime {
namespace {

using common::SimTime;
using Kind = Repeats::Pass::Kind;

SimTime ps(std::int64_t value) {
  return SimTime::from_ps(value);
}

/// Adds rows to themselves, on all PEs.
void launch_add(Context& kb, const Tensor& tensor) {
  kb.launch("add", [view = tensor->view()](Tl& tl) {
    const kernel::Tile tile = tl.load(view.local(tl));
    tl.store(view.local(tl), tile + tile);
  });
}

/// Runs eight works of two launches each, and returns the times of all launches.
std::vector<std::pair<std::int64_t, std::int64_t>> times_of_eight(
    std::optional<std::uint64_t> seed, RepeatSummary* summary = nullptr) {
  SessionOptions options;
  if (seed) options.repeats = {true, false, *seed};
  RuntimeMachine device(std::move(options));
  device.run([](Context& kb) {
    const Tensor x = kb.tensor(32, 64, DataType::F32, kByRows);
    for (std::uint64_t i = 0; i < 8; ++i) {
      kb.repeat({"adds", i, 8}, [&] {
        launch_add(kb, x);
        launch_add(kb, x);
      });
    }
    launch_add(kb, x);
  });
  if (summary != nullptr) *summary = device.session().repeats()->summary();
  std::vector<std::pair<std::int64_t, std::int64_t>> times;
  for (const LaunchRecord& one : device.session().record().launches) {
    times.emplace_back(one.start.ps(), one.end.ps());
  }
  return times;
}

TEST(RepeatedWorkTest, HasTheTimesOfTheFullSimulation) {
  const auto full = times_of_eight({});
  ASSERT_EQ(full.size(), 17U);
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    RepeatSummary summary;
    EXPECT_EQ(times_of_eight(seed, &summary), full);
    EXPECT_EQ(summary.simulated, 2U);
    EXPECT_EQ(summary.repeated, 6U);
    ASSERT_EQ(summary.samples.size(), 1U);
    EXPECT_EQ(summary.samples[0].key, "adds");
    EXPECT_EQ(summary.samples[0].error(), 0.0);
    EXPECT_EQ(summary.samples[0].simulated.ps(), full[1].second - full[0].first);
  }
}

TEST(RepeatedWorkTest, NamesTheLaunchesWhoseTimeItHas) {
  RuntimeMachine device({.repeats = RepeatOptions{true, false, 1}});
  device.run([](Context& kb) {
    const Tensor x = kb.tensor(32, 64, DataType::F32, kByRows);
    kb.measure("all", [&] {
      for (std::uint64_t i = 0; i < 3; ++i) kb.repeat({"add", i, 3}, [&] { launch_add(kb, x); });
    });
  });
  const std::vector<LaunchRecord>& launches = device.session().record().launches;
  ASSERT_EQ(launches.size(), 3U);
  int repeats = 0;
  for (const LaunchRecord& one : launches) {
    EXPECT_EQ(one.kernel, "add");
    EXPECT_EQ(one.region, 0U);
    if (!one.repeats) continue;
    EXPECT_FALSE(launches[*one.repeats].repeats);
    EXPECT_EQ(launches[*one.repeats].end - launches[*one.repeats].start, one.end - one.start);
    ++repeats;
  }
  EXPECT_EQ(repeats, 1);
}

TEST(RepeatedWorkTest, TellsHowFarAnotherWorkOfTheKeyIsOff) {
  RuntimeMachine device({.repeats = RepeatOptions{true, false, 1}});
  device.run([](Context& kb) {
    const Tensor x = kb.tensor(32, 64, DataType::F32, kByRows);
    for (std::uint64_t i = 0; i < 2; ++i) {  // the key lacks the number of launches
      kb.repeat({"adds", i, 2}, [&] {
        for (std::uint64_t k = 0; k <= i; ++k) launch_add(kb, x);
      });
    }
  });
  const RepeatSummary summary = device.session().repeats()->summary();
  ASSERT_EQ(summary.samples.size(), 1U);
  EXPECT_EQ(summary.samples[0].simulated.ps(), 2 * summary.samples[0].repeated.ps());
  EXPECT_EQ(summary.samples[0].error(), 0.5);
}

TEST(RepeatedWorkTest, CountsFromTheLastMemberAndTakesTheMostSimilarWork) {
  Repeats repeats({true, false, 1});
  const auto begin = [&](std::uint64_t index, std::int64_t first, std::int64_t second) -> auto& {
    (void)repeats.arrive({"x", index, 2, 0, 2}, ps(std::min(first, second)));
    return repeats.arrive({"x", index, 2, 1, 2}, ps(std::max(first, second)));
  };
  Repeats::Pass& together = begin(0, 100, 101);
  ASSERT_EQ(together.kind(), Kind::Simulated);
  together.end(0, ps(500), {7});
  together.end(1, ps(480), {8});
  Repeats::Pass& apart = begin(1, 1000, 1030);
  ASSERT_EQ(apart.kind(), Kind::Simulated);
  apart.end(0, ps(1500), {9});
  apart.end(1, ps(1520), {10});
  Repeats::Pass& near_first = begin(2, 2000, 2003);
  ASSERT_EQ(near_first.kind(), Kind::Repeated);
  EXPECT_TRUE(near_first.all_arrived().triggered());
  EXPECT_EQ(near_first.model(), &together);
  EXPECT_EQ(near_first.end_of(0).ps(), 2003 + 399);
  EXPECT_EQ(near_first.end_of(1).ps(), 2003 + 379);
  Repeats::Pass& near_second = begin(3, 3000, 3020);
  EXPECT_EQ(near_second.model(), &apart);
  EXPECT_EQ(near_second.end_of(1).ps(), 3020 + 490);
  EXPECT_EQ(apart.end_in(1).ps(), 1520);
  EXPECT_EQ(apart.launches(1), std::vector<std::size_t>{10});
  const RepeatSummary summary = repeats.summary();
  EXPECT_EQ(summary.simulated, 2U);
  EXPECT_EQ(summary.repeated, 2U);
  EXPECT_TRUE(summary.samples.empty());
}

TEST(RepeatedWorkTest, RefusesMembersThatDisagree) {
  Repeats repeats({true, false, 1});
  const auto message = [&](const RepeatedWork& work) -> std::string {
    try {
      (void)repeats.arrive(work, ps(1));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  Repeats::Pass& pass = repeats.arrive({"x", 0, 4, 0, 2}, ps(1));
  EXPECT_EQ(message({"x", 1, 4, 1, 2}),
            "member 1 begins the repeated work 'x' with index 1, another member with 0");
  EXPECT_EQ(message({"x", 0, 4, 1, 3}),
            "member 1 shares the repeated work 'x' with 3 members in all, another member with 2");
  try {
    pass.end(0, ps(5), {});
    FAIL() << "nothing was thrown";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "member 0 ends the repeated work 'x' before all members have begun it; it needs a "
                 "collective that waits for all");
  }
}

}  // namespace
}  // namespace kernbench::model::runtime

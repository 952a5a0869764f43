// SPDX-License-Identifier: Apache-2.0
// Regions start behind a barrier of all ranks, in no time of its own, and initial tensors are in
// memory without transfers.
#include "model/engine/errors.hpp"
#include "runtime_fixture.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::runtime {
namespace {

using ::testing::ElementsAre;

/// Returns the message of the exception that `work` throws.
std::string refusal_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

MeasuredRegion region_of(std::vector<std::int64_t> ends) {
  MeasuredRegion region;
  region.name = "x";
  region.start = common::SimTime::from_ps(500);
  for (const std::int64_t end : ends)
    region.ranks.push_back({{}, true, common::SimTime::from_ps(end)});
  return region;
}

TEST(MeasuredRegion, EndsWithTheLastRankAndNamesTheSkew) {
  const MeasuredRegion region = region_of({2500, 1500, 4000, 4000});
  EXPECT_EQ(region.time().ps(), 3500);
  EXPECT_EQ(region.skew().ps(), 2500);
  EXPECT_EQ(skew_text(region), "skew between ranks 0.003 us: rank 1 ends first, rank 2 last");
  EXPECT_EQ(skew_text(region_of({7, 7, 7})),
            "skew between ranks 0.000 us: all 3 ranks end together");
  EXPECT_EQ(skew_text(region_of({7})), "");
}

TEST(MeasuredRegion, CoversItsRequestsAndNoEarlierOnes) {
  RuntimeMachine device;
  device.run([](Context& kb) {
    kb.launch("before", [](Tl&) {});
    kb.measure("two", [&] {
      kb.launch("first", [](Tl&) {});
      kb.launch("second", [](Tl&) {});
    });
    kb.launch("after", [](Tl&) {});
    kb.measure("nothing", [] {});
  });
  const std::vector<LaunchRecord>& launches = device.session().record().launches;
  const std::deque<MeasuredRegion>& regions = device.session().record().regions;
  ASSERT_EQ(launches.size(), 4U);
  ASSERT_EQ(regions.size(), 2U);
  EXPECT_EQ(regions[0].start, launches[0].end);
  EXPECT_EQ(regions[0].start, launches[1].start);
  EXPECT_EQ(regions[0].end(), launches[2].end);
  EXPECT_EQ(regions[1].start, launches[3].end);
  EXPECT_EQ(regions[1].time().ps(), 0);
  const std::optional<std::size_t> none;
  EXPECT_EQ(launches[0].region, none);
  EXPECT_EQ(launches[1].region, 0U);
  EXPECT_EQ(launches[2].region, 0U);
  EXPECT_EQ(launches[3].region, none);
}

TEST(MeasuredRegion, RefusesNestingAndEmptyNames) {
  RuntimeMachine device;
  device.run([](Context& kb) {
    EXPECT_EQ(refusal_of([&] { kb.measure("", [] {}); }), "a measured region needs a name");
    kb.measure("outer", [&] {
      EXPECT_EQ(refusal_of([&] { kb.measure("inner", [] {}); }),
                "the measured region 'inner' begins inside the region 'outer'; regions cannot be "
                "nested");
    });
  });
  EXPECT_EQ(device.session().record().regions.size(), 1U);
}

std::shared_ptr<RegionBarrier> barrier_of_two_sips(RuntimeMachine& device) {
  const topology::TopologySpec& spec = device.session().spec();
  return std::make_shared<RegionBarrier>(
      device.session(), std::vector{Device::of_sip(spec, 0), Device::of_sip(spec, 1)});
}

/// Adds a host program as a rank.
void add_rank(RuntimeMachine& device, const std::shared_ptr<RegionBarrier>& ranks,
              std::uint32_t rank, std::function<void(Context&)> program) {
  device.add(rank, ranks, std::move(program));
}

TEST(MeasuredRegion, StartsWhenTheLastRankEntersIt) {
  RuntimeMachine device;
  const auto ranks = barrier_of_two_sips(device);
  std::vector<std::uint32_t> order;
  std::vector<std::int64_t> starts;
  for (const std::uint32_t rank : {0U, 1U}) {
    add_rank(device, ranks, rank, [&order, &starts, rank](Context& kb) {
      if (rank == 0) kb.launch("late", [](Tl&) {});
      kb.measure("both", [&] {
        order.push_back(rank);
        starts.push_back(kb.now().ps());
        if (rank == 1) kb.launch("work", [](Tl&) {});
      });
    });
  }
  device.run();
  const std::vector<LaunchRecord>& launches = device.session().record().launches;
  const MeasuredRegion& region = device.session().record().regions.at(0);
  EXPECT_GT(region.start.ps(), 0);
  EXPECT_EQ(region.start, launches[0].end);
  EXPECT_THAT(starts, ElementsAre(region.start.ps(), region.start.ps()));
  EXPECT_THAT(order, ElementsAre(0U, 1U)) << "by rank, whichever enters last";
  EXPECT_EQ(region.ranks[0].end, region.start);
  EXPECT_EQ(region.ranks[1].end, launches[1].end);
  EXPECT_EQ(region.skew(), region.time());
}

TEST(MeasuredRegion, WhichARankNeverEntersNamesIt) {
  RuntimeMachine device;
  const auto ranks = barrier_of_two_sips(device);
  add_rank(device, ranks, 0, [](Context& kb) { kb.measure("forward", [] {}); });
  EXPECT_THROW(device.run(), engine::Deadlock);
  EXPECT_THAT(
      unstarted_regions(device.session().record().regions),
      ElementsAre("the measured region 'forward' waits for rank 1, which never entered it"));
}

TEST(MeasuredRegion, HasOneNameInAllRanks) {
  RuntimeMachine device;
  const auto ranks = barrier_of_two_sips(device);
  add_rank(device, ranks, 0, [](Context& kb) {
    kb.measure("a", [] {});
    kb.measure("b", [] {});
  });
  add_rank(device, ranks, 1, [](Context& kb) {
    kb.measure("a", [] {});
    EXPECT_EQ(
        refusal_of([&] { kb.measure("c", [] {}); }),
        "rank 1 measures region 'c' where rank 0 measures 'b': all ranks must measure the same "
        "regions in the same order");
  });
  EXPECT_THROW(device.run(), engine::Deadlock);
}

TEST(InitialTensors, AreInMemoryWithoutTransfers) {
  std::vector<std::int64_t> ends;
  for (const bool upload : {false, true}) {
    RuntimeMachine device({.upload = upload});
    device.run([&](Context& kb) {
      const Tensor x = kb.tensor(32, 32, DataType::F32, kByRows, counting(32, 32));
      kb.synchronize();
      ends.push_back(kb.now().ps());
      kb.expect("x", kb.read(x), counting(32, 32));
    });
    EXPECT_EQ(device.evaluate().at(0).wrong, 0U);
    EXPECT_EQ(device.evaluate().at(0).elements, 1024U);
  }
  RuntimeMachine mapping;
  mapping.run([&](Context& kb) {
    (void)kb.tensor(32, 32, DataType::F32, kByRows);
    kb.synchronize();
    ends.push_back(kb.now().ps());
  });
  EXPECT_EQ(ends[0], ends[2]) << "mapping takes its messages";
  EXPECT_GT(ends[0], 0);
  EXPECT_GT(ends[1], ends[0]);
}

TEST(InitialTensors, AreThoseBeforeTheFirstLaunchOrRegion) {
  for (const bool by_launch : {true, false}) {
    RuntimeMachine device;
    std::int64_t took = 0;
    std::int64_t mapping = 0;
    device.run([&](Context& kb) {
      if (by_launch) {
        kb.launch("first", [](Tl&) {});
      } else {
        kb.measure("first", [] {});
      }
      kb.synchronize();
      const common::SimTime start = kb.now();
      (void)kb.tensor(32, 32, DataType::F32, kByRows);
      kb.synchronize();
      const common::SimTime middle = kb.now();
      const Tensor x = kb.tensor(32, 32, DataType::F32, kByRows, counting(32, 32));
      kb.synchronize();
      mapping = (middle - start).ps();
      took = (kb.now() - middle).ps();
      kb.expect("x", kb.read(x), counting(32, 32));
    });
    EXPECT_GT(took, mapping);
    EXPECT_EQ(device.evaluate().at(0).wrong, 0U);
  }
}

}  // namespace
}  // namespace kernbench::model::runtime

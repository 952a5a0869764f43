// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "engine_fixture.hpp"

namespace kernbench::model::engine {
namespace {

class ResourceTest : public EngineTest {
 protected:
  Process use(Resource& resource, std::string who, std::size_t units, common::SimTime duration) {
    const Lease lease = co_await resource.acquire(units);
    note(who);
    co_await sim_.delay(duration);
  }
  Process release_early() {
    Lease lease = co_await one_.acquire();
    lease.release();
    EXPECT_FALSE(lease.held());
    co_await sim_.delay(ps(50));
    lease.release();
  }
  Process keep(Resource& resource, Lease& place) {
    Lease lease = co_await resource.acquire();
    place = std::move(lease);
  }

  Resource one_{sim_, "one", 1};
  Resource three_{sim_, "three", 3};
};

TEST_F(ResourceTest, OneUnitIsUsedByOneAfterTheOtherInOrderOfArrival) {
  for (const char* who : {"a", "b", "c"}) sim_.spawn(who, use(one_, who, 1, ps(10)));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 a", "10 b", "20 c"));
  EXPECT_EQ(sim_.now(), ps(30));
  EXPECT_EQ(one_.free_units(), 1U);
}

TEST_F(ResourceTest, AsManyUseItAtOnceAsThereAreUnits) {
  for (const char* who : {"a", "b", "c", "d"}) sim_.spawn(who, use(three_, who, 1, ps(10)));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 a", "0 b", "0 c", "10 d"));
}

TEST_F(ResourceTest, WhoNeedsManyUnitsIsNotOvertakenByWhoNeedsFew) {
  sim_.spawn("a", use(three_, "a", 2, ps(10)));
  sim_.spawn("b", use(three_, "b", 3, ps(10)));
  sim_.spawn("c", use(three_, "c", 1, ps(10)));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 a", "10 b", "20 c"));
}

TEST_F(ResourceTest, ALeaseCanBeReleasedBeforeItsEndAndOnlyOnce) {
  sim_.spawn("early", release_early());
  sim_.spawn("b", use(one_, "b", 1, ps(10)));
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("0 b"));
  EXPECT_EQ(one_.free_units(), 1U);
}

TEST_F(ResourceTest, ALeaseCanBeMovedOutOfItsProcess) {
  Lease place;
  EXPECT_FALSE(place.held());
  sim_.spawn("a", keep(one_, place));
  sim_.spawn("b", use(one_, "b", 1, ps(10)));
  EXPECT_FALSE(sim_.run_until(ps(5)));
  EXPECT_TRUE(place.held());
  EXPECT_EQ(one_.free_units(), 0U);
  Lease other(std::move(place));
  other = Lease();
  sim_.run();
  EXPECT_THAT(log_, ElementsAre("5 b"));
}

TEST_F(ResourceTest, ALeaseMayOutliveItsResource) {
  std::optional<Resource> resource(std::in_place, sim_, "short", 1);
  Lease place;
  sim_.spawn("a", keep(*resource, place));
  sim_.run();
  EXPECT_TRUE(place.held());
  resource.reset();
  EXPECT_FALSE(place.held());
}

TEST_F(ResourceTest, AResourceWithoutUnitsIsAnError) {
  EXPECT_EQ(message_of<std::invalid_argument>([&] { Resource(sim_, "none", 0); }),
            "resource 'none' needs at least 1 unit");
}

TEST_F(ResourceTest, MoreUnitsThanThereAreCannotBeAcquiredNorNone) {
  EXPECT_EQ(message_of<std::invalid_argument>([&] { (void)three_.acquire(4); }),
            "cannot acquire 4 of the 3 units of resource 'three'");
  EXPECT_EQ(message_of<std::invalid_argument>([&] { (void)three_.acquire(0); }),
            "cannot acquire 0 of the 3 units of resource 'three'");
}

}  // namespace
}  // namespace kernbench::model::engine

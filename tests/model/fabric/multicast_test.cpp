// SPDX-License-Identifier: Apache-2.0
#include "fabric_fixture.hpp"
#include "model/fabric/analytic/analytic_fabric.hpp"

namespace kernbench::model::fabric {
namespace {

using ::testing::ElementsAre;

Transfer multicast(TransferType type, std::uint32_t src, std::uint32_t dst, std::uint64_t bytes) {
  return {.id = 1, .src = src, .dst = dst, .type = type, .qos = Qos::Low, .bytes = bytes};
}

/// Returns the links used by a multicast from node 4 of a 3 x 3 grid to the column or row of `dst`,
/// as "4->3 4->5".
std::string links_used(TransferType type, std::uint32_t dst) {
  FabricUnderTest test("FlattenedButterfly(3,3)");
  test.submit_at(0, multicast(type, 4, dst, 2));
  EXPECT_EQ(test.run().size(), 1U);
  std::string text;
  for (const topology::zoo::Channel& channel : test.topology->channels()) {
    const std::uint64_t packets = test.use(channel.src, channel.dst).packets;
    if (packets == 0) continue;
    EXPECT_EQ(packets, 2U);
    text += fmt::format("{}{}", text.empty() ? "" : " ", channel_name(channel));
  }
  return text;
}

TEST(Multicast, ToAColumnGoesAlongTheRowToItsNodeThereAndFansOut) {
  EXPECT_EQ(links_used(TransferType::XMulticast, 1), "4->1 4->7");
  EXPECT_EQ(links_used(TransferType::XMulticast, 0), "3->0 3->6 4->3");
}

TEST(Multicast, ToARowFansOutAlongItsOwnRowAndGoesOnFromEachNode) {
  EXPECT_EQ(links_used(TransferType::YMulticast, 3), "4->3 4->5");
  EXPECT_EQ(links_used(TransferType::YMulticast, 0), "3->0 4->1 4->3 4->5 5->2");
}

TEST(Multicast, ToAllGoesAlongTheRowAndFromEachOfItAlongItsColumn) {
  EXPECT_EQ(links_used(TransferType::Broadcast, 1234), "3->0 3->6 4->1 4->3 4->5 4->7 5->2 5->8");
}

TEST(Multicast, IsDoneWhenTheLastCopyHasArrived) {
  const auto done_at = [](TransferType type, std::uint32_t stages, std::uint32_t dst = 4) {
    FabricUnderTest test("FlattenedButterfly(3,3)", stages);
    test.submit_at(0, multicast(type, 4, dst, 10));
    return test.run().at(0).ps;
  };
  EXPECT_EQ(done_at(TransferType::XMulticast, 0), 10000);
  EXPECT_EQ(done_at(TransferType::YMulticast, 3), 13000);
  EXPECT_EQ(done_at(TransferType::XMulticast, 0, 0), 11000);
  EXPECT_EQ(done_at(TransferType::YMulticast, 3, 0), 17000);
  EXPECT_EQ(done_at(TransferType::Broadcast, 0), 11000);
  EXPECT_EQ(done_at(TransferType::Broadcast, 3), 17000);
}

TEST(Multicast, ToARowOfOneIsDoneWithTheCopyAtItsSource) {
  FabricUnderTest test("FlattenedButterfly(1,4)");
  test.submit_at(0, multicast(TransferType::YMulticast, 2, 2, 10));
  EXPECT_THAT(test.run(), ElementsAre(Done{1, 10000}));
}

TEST(Multicast, WaitsForItsSlowestCopy) {
  FabricUnderTest test("FlattenedButterfly(3,3)");
  test.submit_at(0, unicast(2, 4, 5, 7));
  test.submit_at(0, multicast(TransferType::YMulticast, 4, 4, 1));
  test.submit_at(0, unicast(3, 3, 4, 5));
  // One packet after the seven that the source injects first.
  EXPECT_THAT(test.run(), ElementsAre(Done{3, 5000}, Done{2, 7000}, Done{1, 8000}));
}

}  // namespace
}  // namespace kernbench::model::fabric

// SPDX-License-Identifier: Apache-2.0
// Links that lose, duplicate, change, swap or misroute a packet, or accept none: the nodes detect
// each fault and name the link.
#include "cycle_fabric.hpp"
#include "faulty_links.hpp"
#include "model/fabric/clocked/fabric_failure.hpp"

namespace kernbench::model::fabric {
namespace {

using ::testing::HasSubstr;
using Kind = LinkFault::Kind;
using topology::DimensionOrder;
using topology::MazeLink;
using topology::MazePort;

constexpr Edge kLong = 100;  // minimum number of stepped edges

// Node [0,0] sends to [1,1] through [0,1]: over x[0] of node 0, then y[0] of node 1.
constexpr MazePort kFirstHop{0, 0};
constexpr MazePort kSecondHop{1, 3};
const std::string kFirstName = "[0,0].x[0] -> [0,1].x[0]";
const std::string kSecondName = "[0,1].y[0] -> [1,1].y[0]";

/// Returns a multicast from [0,0] to the column or the row of [1,1], or to all.
Transfer multicast(std::uint64_t id, TransferType type, std::uint64_t bytes) {
  return {.id = id, .src = 0, .dst = 5, .type = type, .bytes = bytes};
}

/// Returns the message of the failure that ends these transfers, submitted at time 0.
std::string failure_of(std::unique_ptr<LinkArray> links, const std::vector<Transfer>& transfers,
                       DimensionOrder order = DimensionOrder::XY) {
  CycleFabric cycle(std::move(links), {.order = order}, kLong);
  cycle.submit_all(transfers);
  return error_of<FabricFailure>([&] { (void)cycle.run(); });
}
std::string failure_of(const LinkFault& fault, const std::vector<Transfer>& transfers,
                       DimensionOrder order = DimensionOrder::XY) {
  return failure_of(std::make_unique<FaultyLinks>(k4x4, fault), transfers, order);
}

/// Returns a transfer of each type. All use both links in XY order.
std::vector<Transfer> each_type(std::uint64_t bytes) {
  return {unicast(7, 0, 5, bytes), multicast(8, TransferType::Broadcast, bytes),
          multicast(9, TransferType::XMulticast, bytes),
          multicast(10, TransferType::YMulticast, bytes)};
}

TEST(NodeFaults, DoublesOfLinksWithoutAFaultChangeNothing) {
  CycleFabric plain(k4x4);
  CycleFabric faulty(std::make_unique<FaultyLinks>(k4x4, LinkFault{.number = 1000}));
  for (CycleFabric* cycle : {&plain, &faulty}) cycle->submit_all(each_type(9));
  EXPECT_EQ(plain.run(), faulty.run());
  EXPECT_EQ(plain.fabric.network().hash(), faulty.fabric.network().hash());
}

TEST(NodeFaults, ALostLastPacketIsMissedAndItsTransferAndLinkAreNamed) {
  EXPECT_EQ(failure_of({.kind = Kind::Drop, .at = kFirstHop, .number = 2}, {unicast(7, 0, 5, 3)}),
            "edge 4099: nothing has moved for 4096 cycles; transfer 7 from [0,0]: 3 of 3 packets "
            "sent, 1 node incomplete; " +
                kFirstName + " holds 1 packet");
  EXPECT_EQ(failure_of({.kind = Kind::Drop, .at = kSecondHop, .number = 2}, {unicast(7, 0, 5, 3)}),
            "edge 4100: nothing has moved for 4096 cycles; transfer 7 from [0,0]: 3 of 3 packets "
            "sent, 1 node incomplete; " +
                kSecondName + " holds 1 packet");
}

TEST(NodeFaults, ALostCopyOfAMulticastIsMissed) {
  EXPECT_EQ(failure_of({.kind = Kind::Drop, .at = kSecondHop},
                       {multicast(7, TransferType::Broadcast, 1)}),
            "edge 4100: nothing has moved for 4096 cycles; transfer 7 from [0,0]: 1 of 1 packets "
            "sent, 1 node incomplete; " +
                kSecondName + " holds 1 packet");
}

TEST(NodeFaults, ALostPacketIsNoticedByTheNextAtItsDestination) {
  EXPECT_EQ(failure_of({.kind = Kind::Drop, .at = kFirstHop, .number = 1}, {unicast(7, 0, 5, 3)}),
            "edge 4: " + kSecondName +
                " brought type=0 qos=0 src=[0,0] tgt=[1,1] data=0x36: packet 1 of transfer 7 is "
                "type=0 qos=0 src=[0,0] tgt=[1,1] data=0x3c");
}

TEST(NodeFaults, ALinkThatTakesNothingIsNamed) {
  EXPECT_EQ(failure_of(std::make_unique<StalledLinks>(k4x4, kSecondHop, Edge{1} << 40U),
                       {unicast(7, 0, 5, 3)}),
            "edge 4099: nothing has moved for 4096 cycles; transfer 7 from [0,0]: 3 of 3 packets "
            "sent, 1 node incomplete; " +
                kSecondName + " holds 0 packets and is stalled");
}

TEST(NodeFaults, FiveTransfersAndFiveLinksAreNamedAtMost) {
  // All over one link that accepts nothing: 7 links to its sender stall too.
  std::vector<Transfer> transfers;
  for (std::uint32_t i = 0; i < 7; ++i) transfers.push_back(unicast(i, i, 63, 40));
  const std::string failure = failure_of(
      std::make_unique<StalledLinks>(maze::Shape{}, MazePort{7, 13}, Edge{1} << 40U), transfers);
  EXPECT_THAT(failure, HasSubstr("transfer 4 from [0,4]: "));
  EXPECT_THAT(failure, ::testing::Not(HasSubstr("transfer 5 ")));
  std::size_t links = 0;
  for (std::size_t at = failure.find("->"); at != std::string::npos;
       at = failure.find("->", at + 1)) {
    ++links;
  }
  EXPECT_EQ(links, 5U) << failure;
}

TEST(NodeFaults, ADoubledPacketIsNoticedAtTheEndOfItsLink) {
  EXPECT_EQ(failure_of({.kind = Kind::Duplicate, .at = kFirstHop}, {unicast(7, 0, 5, 3)}),
            "edge 1: " + kFirstName +
                " brought type=0 qos=0 src=[0,0] tgt=[1,1] data=0xa5: the link was empty");
  EXPECT_EQ(
      failure_of({.kind = Kind::Duplicate, .at = kSecondHop, .number = 2}, {unicast(7, 0, 5, 3)}),
      "edge 4: " + kSecondName +
          " brought type=0 qos=0 src=[0,0] tgt=[1,1] data=0x36: the link was empty");
}

TEST(NodeFaults, ALastPacketThatIsDoubledInADeepLinkIsNoticedWhenTheClockGoesOn) {
  const maze::Shape shape;
  const LinkFault fault{.kind = Kind::Duplicate, .at = {0, 3}};  // to [0,4], of 3 stages
  const std::string what =
      "[0,0].x[3] -> [0,4].x[3] brought type=0 qos=0 src=[0,0] tgt=[0,4] data=0xa5: the link "
      "was empty";
  EXPECT_EQ(failure_of(std::make_unique<FaultyLinks>(shape, fault), {unicast(7, 0, 4, 1)}),
            "edge 5: " + what);
  // Without a later edge the drain at the end detects it,
  CycleFabric alone(std::make_unique<FaultyLinks>(shape, fault));
  alone.submit_at(0, unicast(7, 0, 4, 1));
  EXPECT_EQ(alone.run().size(), 1U);
  EXPECT_EQ(error_of<FabricFailure>([&] { alone.fabric.drain(); }), "edge 5: " + what);
  // with a later edge any next transfer does.
  CycleFabric cycle(std::make_unique<FaultyLinks>(shape, fault));
  cycle.submit_at(0, unicast(7, 0, 4, 1));
  EXPECT_EQ(cycle.run().size(), 1U);
  cycle.submit_at(1'000'000, unicast(8, 62, 63, 1));
  EXPECT_EQ(error_of<FabricFailure>([&] { (void)cycle.run(); }), "edge 1001: " + what);
}

TEST(NodeFaults, EveryChangedBitOfAPacketOfAnyTypeIsNoticedAtTheEndOfItsLink) {
  for (const MazePort at : {kFirstHop, kSecondHop}) {
    const std::string name = at == kFirstHop ? kFirstName : kSecondName;
    for (const Transfer& transfer : each_type(2)) {
      for (unsigned bit = 0; bit < k4x4.payload_w(); ++bit) {
        const std::string failure = failure_of(
            {.kind = Kind::Change, .at = at, .number = 1, .flipped = maze::Payload{1} << bit},
            {transfer});
        EXPECT_THAT(failure, HasSubstr(": " + name + " brought type=")) << "bit " << bit;
        EXPECT_TRUE(
            failure.ends_with(": its route does not use this link") ||
            failure.ends_with(": this packet or an earlier one differs from what entered the link"))
            << failure;
      }
    }
  }
}

TEST(NodeFaults, AChangedPacketIsShownAsItCame) {
  EXPECT_EQ(failure_of({.kind = Kind::Change, .at = kFirstHop, .number = 1, .flipped = 0x10},
                       {unicast(7, 0, 5, 3)}),
            "edge 2: " + kFirstName +
                " brought type=0 qos=0 src=[0,0] tgt=[1,1] data=0x2c: this packet or an earlier "
                "one differs from what entered the link");
  // A target in the same column, to which the corner would forward it.
  EXPECT_EQ(failure_of({.kind = Kind::Change, .at = kFirstHop, .number = 1, .flipped = 0x1000},
                       {unicast(7, 0, 5, 3)}),
            "edge 2: " + kFirstName +
                " brought type=0 qos=0 src=[0,0] tgt=[3,1] data=0x3c: this packet or an earlier "
                "one differs from what entered the link");
  // A target in another column.
  EXPECT_EQ(
      failure_of({.kind = Kind::Change, .at = kFirstHop, .number = 1, .flipped = 0x200},
                 {unicast(7, 0, 5, 3)}),
      "edge 2: " + kFirstName +
          " brought type=0 qos=0 src=[0,0] tgt=[1,3] data=0x3c: its route does not use this link");
}

TEST(NodeFaults, TwoPacketsThatSwapPlacesAreNoticedAtTheEndOfTheirLink) {
  EXPECT_EQ(failure_of({.kind = Kind::Swap, .at = kFirstHop}, {unicast(7, 0, 5, 3)}),
            "edge 3: " + kFirstName +
                " brought type=0 qos=0 src=[0,0] tgt=[1,1] data=0xa5: this packet or an earlier "
                "one differs from what entered the link");
  // Two flows, each in order.
  EXPECT_EQ(
      failure_of({.kind = Kind::Swap, .at = kFirstHop}, {unicast(7, 0, 5, 1), unicast(8, 0, 9, 1)}),
      "edge 3: " + kFirstName +
          " brought type=0 qos=0 src=[0,0] tgt=[1,1] data=0xa5: this packet or an earlier "
          "one differs from what entered the link");
}

TEST(NodeFaults, AMisroutedPacketIsNoticedAtTheEndOfAnyOtherLink) {
  const topology::MazeLinks links(k4x4.nx, k4x4.ny);
  for (const MazePort at : {kFirstHop, kSecondHop}) {
    for (const Transfer& transfer : each_type(1)) {
      for (const MazeLink& link : links.links()) {
        if (link.from == at) continue;
        const std::string failure =
            failure_of({.kind = Kind::Misroute, .at = at, .to = link.from}, {transfer});
        EXPECT_THAT(failure, HasSubstr(": " + links.link_name(link) + " brought type="));
        EXPECT_TRUE(
            failure.ends_with(": its route does not use this link") ||
            failure.ends_with(": the link was empty") ||
            failure.ends_with(": this packet or an earlier one differs from what entered the link"))
            << failure;
      }
    }
  }
}

TEST(NodeFaults, AMulticastThatStraysToANodeThatIsNotItsOwnDoesNotCount) {
  EXPECT_EQ(failure_of({.kind = Kind::Misroute, .at = kFirstHop, .to = {0, 3}},
                       {multicast(7, TransferType::XMulticast, 1)}),
            "edge 2: [0,0].y[0] -> [1,0].y[0] brought type=1 qos=0 src=[0,0] tgt=[1,1] data=0xa5: "
            "its route does not use this link");
}

TEST(NodeFaults, AUnicastThatComesByAShortcutIsNoticed) {
  EXPECT_EQ(failure_of({.kind = Kind::Misroute, .at = kFirstHop, .to = kSecondHop},
                       {unicast(7, 0, 5, 1)}),
            "edge 2: " + kSecondName +
                " brought type=0 qos=0 src=[0,0] tgt=[1,1] data=0xa5: the link was empty");
}

TEST(NodeFaults, APacketThatIsSentInTheOtherOrderIsNoticed) {
  EXPECT_EQ(
      failure_of({.kind = Kind::Misroute, .at = {0, 3}, .to = kFirstHop}, {unicast(7, 0, 5, 1)},
                 DimensionOrder::YX),
      "edge 2: " + kFirstName +
          " brought type=0 qos=0 src=[0,0] tgt=[1,1] data=0xa5: its route does not use this link");
}

TEST(NodeFaults, ATargetThatIsNoNodeIsNoticedWithoutLookingBeyondTheGrid) {
  for (unsigned bit = 8; bit < 14; ++bit) {
    EXPECT_THAT(failure_of(std::make_unique<FaultyLinks>(
                               maze::Shape{5, 3, 8}, LinkFault{.kind = Kind::Change,
                                                               .at = {0, 0},
                                                               .flipped = maze::Payload{1} << bit}),
                           {unicast(7, 0, 6, 1)}),
                ::testing::StartsWith("edge 1: " + kFirstName + " brought "));
  }
}

}  // namespace
}  // namespace kernbench::model::fabric

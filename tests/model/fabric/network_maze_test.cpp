// SPDX-License-Identifier: Apache-2.0
// The nodes that are built, over the reference of the network: exact times, delivery, traces,
// faults.
#include "model/fabric/clocked/network_maze.hpp"

#include "cycle_fabric.hpp"
#include "model/fabric/clocked/cycle_network.hpp"
#include "model/fabric/clocked/fabric_failure.hpp"
#include "model/fabric/trace/lost_time.hpp"
#include "packet_checks.hpp"

namespace kernbench::model::fabric {
namespace {

using ::testing::ElementsAre;
using topology::DimensionOrder;

std::unique_ptr<CycleMaze> network(const maze::NetworkConfig& config,
                                   const MazeSettings& settings = {}) {
  return std::make_unique<NetworkMaze>(std::make_unique<CycleNetwork>(config, settings.observer),
                                       settings);
}

/// Returns the cycles from port A to port B of a packet that meets no other, by requirement 3.
std::int64_t lone_cycles(const maze::Shape& shape, unsigned src, unsigned dst) {
  const topology::MazeLinks links(shape.nx, shape.ny);
  const MazeRoutes routes(shape, DimensionOrder::XY);
  std::int64_t cycles = 2;
  for (unsigned node = src; node != dst;) {
    const topology::MazeLink& link = links.leaving(node, routes.port(node, dst));
    cycles += link.depth + 2;
    node = link.to.node;
  }
  return cycles;
}

TEST(NetworkMaze, APacketAloneTakesTwoCyclesForEachNodeAndTheStagesOfItsLinks) {
  for (const auto& [nx, ny] : {std::pair{8U, 8U}, {5U, 3U}, {2U, 7U}, {16U, 2U}}) {
    const maze::Shape shape{nx, ny, 8};
    AnalyticAlone alone(shape, DimensionOrder::XY, MazeNodeKind::Maze);
    for (unsigned src = 0; src < shape.nodes(); ++src) {
      for (unsigned dst = src % 3; dst < shape.nodes(); dst += 3) {
        for (const std::uint64_t bytes : {1U, 2U, 40U}) {
          const Transfer transfer = unicast(1, src, dst, bytes);
          CycleFabric cycle(network({.shape = shape}));
          cycle.submit_at(0, transfer);
          // It enters at edge 1, its last packet `bytes` - 1 edges later.
          const std::int64_t last = static_cast<std::int64_t>(bytes) + lone_cycles(shape, src, dst);
          EXPECT_THAT(cycle.run(), ElementsAre(Done{1, 1000 * last})) << src << " to " << dst;
          EXPECT_EQ(alone.latency(transfer), 1000 * last) << src << " to " << dst;
        }
      }
    }
  }
}

TEST(NetworkMaze, AMulticastAloneTakesTheAnalyticTime) {
  const maze::Shape shape{8, 8, 8};
  AnalyticAlone alone(shape, DimensionOrder::XY, MazeNodeKind::Maze);
  for (const auto type :
       {TransferType::XMulticast, TransferType::YMulticast, TransferType::Broadcast}) {
    for (const std::uint32_t dst : {19U, 3U, 16U, 60U}) {
      for (const std::uint64_t bytes : {1U, 9U, 40U}) {
        const Transfer transfer{.id = 5, .src = 19, .dst = dst, .type = type, .bytes = bytes};
        CycleFabric cycle(network({.shape = shape}));
        cycle.submit_at(0, transfer);
        EXPECT_THAT(cycle.run(), ElementsAre(Done{5, alone.latency(transfer)}))
            << static_cast<int>(type) << " to " << dst << ", " << bytes << " bytes";
      }
    }
  }
}

TEST(NetworkMaze, RoundAFailedNodeAPacketAloneTakesTheAnalyticTime) {
  const maze::Shape shape{4, 5, 8};
  for (unsigned failed = 0; failed < shape.nodes(); ++failed) {
    AnalyticAlone alone(shape, DimensionOrder::XY, MazeNodeKind::Maze, failed);
    for (unsigned src = 0; src < shape.nodes(); ++src) {
      for (unsigned dst = 0; dst < shape.nodes(); ++dst) {
        if (src == failed || dst == failed) continue;
        const Transfer transfer = unicast(1, src, dst, 3);
        CycleFabric cycle(network({.shape = shape, .failed = failed}));
        cycle.submit_at(0, transfer);
        EXPECT_THAT(cycle.run(), ElementsAre(Done{1, alone.latency(transfer)}))
            << src << " to " << dst << " round " << failed;
      }
    }
  }
}

TEST(NetworkMaze, WithAFailedNodeASourceSendsOneCopyACycle) {
  const maze::Shape shape{4, 4, 8};
  AnalyticAlone alone(shape, DimensionOrder::XY, MazeNodeKind::Maze, 5);
  for (const auto type :
       {TransferType::XMulticast, TransferType::YMulticast, TransferType::Broadcast}) {
    for (const unsigned src : {0U, 1U, 6U, 15U}) {
      const Transfer transfer{.id = 2, .src = src, .dst = 9, .type = type, .bytes = 1};
      CycleFabric cycle(network({.shape = shape, .failed = 5}));
      cycle.submit_at(0, transfer);
      EXPECT_THAT(cycle.run(), ElementsAre(Done{2, alone.latency(transfer)}));
    }
  }
}

TEST(NetworkMaze, DeliversEveryPacketOnceInOrderUnderAnyLoad) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    common::Rng rng = common::Rng::stream(seed, "network_maze");
    const maze::Shape shape = random_shape(rng);
    std::optional<unsigned> failed;
    if (seed % 3 == 0) failed = static_cast<unsigned>(rng.below(shape.nodes()));
    std::vector<Transfer> transfers;
    for (Transfer transfer : random_transfers(rng, shape, {.count = 80, .max_bytes = 40})) {
      if (transfer.src == failed || transfer.dst == failed) continue;
      transfer.id = transfers.size();
      transfers.push_back(transfer);
    }
    DeliveryCheck check(shape, transfers, failed);
    const double stalls = std::array{0.0, 0.3, 0.9}.at(seed % 3);
    CycleFabric cycle(network({.shape = shape, .failed = failed},
                              {.receiver_stalls = stalls, .seed = seed, .observer = &check}));
    cycle.submit_all(transfers);
    EXPECT_EQ(cycle.run().size(), transfers.size()) << "seed " << seed;
    EXPECT_EQ(check.verdict(), "") << "seed " << seed;
    cycle.fabric.drain();
  }
}

TEST(NetworkMaze, ATraceAccountsForEveryCycleOfEveryUnicast) {
  std::uint64_t waited = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    common::Rng rng = common::Rng::stream(seed, "network_trace");
    const maze::Shape shape = random_shape(rng);
    std::optional<unsigned> failed;
    if (seed % 3 == 0) failed = static_cast<unsigned>(rng.below(shape.nodes()));
    PacketTrace trace(shape, PacketTrace::Detail::LastPackets);
    CycleFabric cycle(network({.shape = shape, .failed = failed},
                              {.receiver_stalls = 0.2, .seed = seed, .observer = &trace}));
    for (const Transfer& transfer : random_transfers(rng, shape, {.count = 80, .max_bytes = 40})) {
      if (transfer.src != failed && transfer.dst != failed) cycle.submit_at(0, transfer);
    }
    (void)cycle.run();
    for (const TracedTransfer& traced : trace.transfers()) {
      ASSERT_EQ(traced.missing, 0U);
      if (traced.transfer.type != TransferType::Unicast) continue;
      const LostTime lost = lost_time(traced, trace.links());
      EXPECT_EQ(lost.latency, lost.serialization + lost.minimum + lost.waited());
      waited += lost.waited();
    }
  }
  EXPECT_GT(waited, 10'000U);
}

TEST(NetworkMaze, SteppingEveryCycleChangesNothing) {
  std::vector<std::uint64_t> hashes;
  for (const Edge tick_until : {Edge{0}, Edge{3000}}) {
    CycleFabric cycle(network({.shape = k4x4}), tick_until);
    for (std::uint64_t i = 0; i < 20; ++i) {
      cycle.submit_at(static_cast<std::int64_t>(i * 100'337),
                      unicast(i, static_cast<std::uint32_t>(i % 16),
                              static_cast<std::uint32_t>(i * 5 % 16), i + 1));
    }
    EXPECT_EQ(cycle.run().size(), 20U);
    EXPECT_EQ(cycle.fabric.cycles() == 3000, tick_until > 0);
    hashes.push_back(cycle.fabric.network().hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(NetworkMaze, RefusesYFirstAndTransfersOfTheFailedNode) {
  EXPECT_EQ(error_of([] { (void)network({.shape = k4x4}, {.order = DimensionOrder::YX}); }),
            "the nodes of a MAZE route along X first");
  CycleFabric cycle(network({.shape = k4x4, .failed = 6}));
  EXPECT_EQ(error_of([&] { cycle.submit_at(0, unicast(3, 6, 1, 1)); }),
            "transfer 3 has source 6, which has failed");
  EXPECT_EQ(error_of([&] { cycle.submit_at(0, unicast(3, 1, 6, 1)); }),
            "transfer 3 has destination 6, which has failed");
}

/// A network that treats the packet at port B of one node in another way, once.
class FaultyNetwork final : public PacketNetwork {
 public:
  enum class Kind : std::uint8_t { Lose, Change, Double };

  FaultyNetwork(Kind kind, unsigned node, maze::Payload flipped = 0)
      : network_({.shape = k4x4}), kind_(kind), node_(node), flipped_(flipped) {}

  [[nodiscard]] const maze::NetworkConfig& config() const override { return network_.config(); }
  [[nodiscard]] std::uint64_t entered(unsigned node, unsigned port) const override {
    return network_.entered(node, port);
  }
  void step(Edge edge, const maze::NetworkInputs& inputs, maze::NetworkOutputs& outputs) override {
    network_.step(edge, inputs, outputs);
    const std::uint64_t bit = std::uint64_t{1} << node_;
    if (repeat_) {
      outputs.in_valid[0] |= bit;
      outputs.in_payload[node_] = last_;
      repeat_ = false;
    } else if (!done_ && (outputs.in_valid[0] & bit) != 0) {
      done_ = true;
      last_ = outputs.in_payload[node_];
      repeat_ = kind_ == Kind::Double;
      if (kind_ == Kind::Lose) outputs.in_valid[0] &= ~bit;
      outputs.in_payload[node_] ^= flipped_;
    }
  }

 private:
  CycleNetwork network_;
  Kind kind_;
  unsigned node_;
  maze::Payload flipped_;
  maze::Payload last_ = 0;
  bool done_ = false;
  bool repeat_ = false;
};

std::unique_ptr<CycleMaze> faulty(FaultyNetwork::Kind kind, unsigned node, maze::Payload flipped) {
  return std::make_unique<NetworkMaze>(std::make_unique<FaultyNetwork>(kind, node, flipped),
                                       MazeSettings{});
}

std::string failure_of(FaultyNetwork::Kind kind, unsigned node, const Transfer& transfer,
                       maze::Payload flipped = 0) {
  CycleFabric cycle(faulty(kind, node, flipped), 100);
  cycle.submit_at(0, transfer);
  return error_of<FabricFailure>([&] { (void)cycle.run(); });
}

TEST(NetworkMaze, ALostADoubledAndAChangedPacketAreNoticed) {
  using Kind = FaultyNetwork::Kind;
  EXPECT_EQ(failure_of(Kind::Lose, 5, unicast(7, 0, 5, 1)),
            "edge 4097: nothing has moved for 4096 cycles; transfer 7 from [0,0]: 1 of 1 packets "
            "sent, 1 node incomplete");
  EXPECT_EQ(failure_of(Kind::Double, 5, unicast(7, 0, 5, 1)),
            "edge 8: [1,1] brought type=0 qos=0 src=[0,0] tgt=[1,1] data=0xa5: it belongs to no "
            "transfer");
  EXPECT_EQ(failure_of(Kind::Change, 5, unicast(7, 0, 5, 1), 1),
            "edge 7: [1,1] brought type=0 qos=0 src=[0,0] tgt=[1,1] data=0xa4: packet 0 of "
            "transfer 7 is type=0 qos=0 src=[0,0] tgt=[1,1] data=0xa5");
  EXPECT_EQ(failure_of(Kind::Change, 5, unicast(7, 0, 5, 1), 0x100),
            "edge 7: [1,1] brought type=0 qos=0 src=[0,0] tgt=[1,0] data=0xa5: its target is "
            "another node");
  const Transfer column{.id = 8, .src = 0, .dst = 1, .type = TransferType::XMulticast, .bytes = 1};
  EXPECT_EQ(failure_of(Kind::Change, 9, column, 0x100),
            "edge 8: [2,1] brought type=1 qos=0 src=[0,0] tgt=[0,0] data=0x75: it is for other "
            "nodes");
  CycleFabric other_y(faulty(Kind::Change, 9, 0x800));  // the y of its tgt does not count
  other_y.submit_at(0, column);
  EXPECT_EQ(other_y.run().size(), 1U);
}

}  // namespace
}  // namespace kernbench::model::fabric

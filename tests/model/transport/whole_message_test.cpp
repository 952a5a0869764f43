// SPDX-License-Identifier: Apache-2.0
// Messages that move as wholes take the time of their flits when they are alone, and leave as much
// of a wire's time to others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "line_graph.hpp"
#include "model/components/machine/machine.hpp"
#include "model/transport/network.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/spec_reader.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::transport {
namespace {

using common::SimTime;
using ::testing::ElementsAre;
using ::testing::Pair;
using topology::EdgeId;

const std::vector<EdgeId> kFromA{EdgeId(0), EdgeId(2), EdgeId(4)};
const std::vector<EdgeId> kFromE{EdgeId(6), EdgeId(2), EdgeId(4)};

/// Notes when the last flit of each message arrives.
class LastFlits : public FlitReceiver {
 public:
  explicit LastFlits(std::map<std::uint64_t, std::uint64_t> last) : last_(std::move(last)) {}
  void on_flit(std::uint64_t message, std::uint64_t index, SimTime arrival) override {
    if (index == last_.at(message)) ends.emplace_back(message, arrival.ps());
  }
  std::vector<std::pair<std::uint64_t, std::int64_t>> ends;

 private:
  std::map<std::uint64_t, std::uint64_t> last_;
};

/// Sends messages of these bytes from a and from e to d, and returns when they have arrived.
std::vector<std::pair<std::uint64_t, std::int64_t>> ends_of(Fidelity fidelity, std::uint64_t from_a,
                                                            std::uint64_t from_e) {
  const topology::TopologyGraph graph = line_graph();
  engine::Simulation simulation;
  Network network(simulation, graph);
  network.set_fidelity(fidelity);
  LastFlits receiver({{1, (from_a - 1) / 256}, {2, from_e == 0 ? 0 : (from_e - 1) / 256}});
  network.send(kFromA, from_a, receiver, 1);
  if (from_e != 0) network.send(kFromE, from_e, receiver, 2);
  simulation.run();
  return receiver.ends;
}

TEST(WholeMessages, TakeTheTimeOfTheirFlitsWhenAlone) {
  for (const std::uint64_t bytes : {1U, 256U, 2560U, 65536U}) {
    EXPECT_EQ(ends_of(Fidelity::Message, bytes, 0), ends_of(Fidelity::Flit, bytes, 0)) << bytes;
  }
  // A last flit of a byte is 4 ps longer on the slow wire than on the next.
  EXPECT_THAT(ends_of(Fidelity::Flit, 2561, 0), ElementsAre(Pair(1, 28034)));
  EXPECT_THAT(ends_of(Fidelity::Message, 2561, 0), ElementsAre(Pair(1, 28038)));
  // 2 ns + 1 ns + 10 ps to b, 2 ns there, 10 x 2 ns on the slowest wire, 10 ps, 2 ns, 1 ns + 10 ps
  EXPECT_THAT(ends_of(Fidelity::Message, 2560, 0), ElementsAre(Pair(1, 28030)));
}

TEST(WholeMessages, FollowEachOtherOnASharedWire) {
  // The wire of 128 GB/s needs 2 ns for each of 20 flits, which alternate. The last flit of the
  // first message waits for all flits of the second but the one that is behind it, and the share
  // that a message is expected to be late.
  EXPECT_THAT(ends_of(Fidelity::Flit, 2560, 2560), ElementsAre(Pair(1, 46030), Pair(2, 48030)));
  EXPECT_THAT(ends_of(Fidelity::Message, 2560, 2560), ElementsAre(Pair(1, 44030), Pair(2, 48030)));
}

TEST(WholeMessages, EndWithTheirSource) {
  const topology::TopologyGraph graph = line_graph();
  engine::Simulation simulation;
  Network network(simulation, graph);
  network.set_fidelity(Fidelity::Message);
  LastFlits receiver({{1, 9}, {2, 9}});
  const auto ps = [](std::int64_t value) { return SimTime::from_ps(value); };
  // The flits of the first are ready from 0 to 90 ns and leave the first wire until 91 ns. They use
  // a tenth of its time, so less than one of them delays the second, which takes 26,030 ps alone.
  network.send_whole(network.route(kFromA), 2560, receiver, 1, {ps(0), ps(90'000)});
  network.send_whole(network.route(kFromA), 2560, receiver, 2, {ps(0), ps(0)});
  simulation.run();
  EXPECT_THAT(receiver.ends, ElementsAre(Pair(2, 27'630), Pair(1, 98'030)));
}

TEST(WholeMessages, AreNotForAMazeOrARecordedRun) {
  const auto refusal = [](const topology::TopologyGraph& graph, trace::HopTrace* trace) {
    engine::Simulation simulation;
    Network network(simulation, graph, trace);
    network.set_fidelity(Fidelity::Flit);
    try {
      network.set_fidelity(Fidelity::Message);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  topology::TopologySpec spec;
  trace::HopTrace trace;
  EXPECT_EQ(refusal(topology::compile_topology(spec), nullptr), "accepted");
  EXPECT_EQ(refusal(topology::compile_topology(spec), &trace),
            "whole messages have no hops to record");
  spec.sip.inter_cube = topology::InterCube::Maze;
  EXPECT_EQ(refusal(topology::compile_topology(spec), nullptr),
            "fabrics carry flits, not whole messages");
}

/// The rows of an access: their bytes, and the bytes from one to the next; 0: one row.
struct Rows {
  std::uint64_t bytes = 0;
  std::uint64_t stride = 0;
};

/// Returns when accesses of the PEs of a cube to the slice of PE 0 are done.
std::vector<std::int64_t> times_of_accesses(Fidelity fidelity, bool write, std::uint64_t bytes,
                                            std::uint32_t pes, const Rows& rows = {}) {
  static const topology::TopologyGraph graph = topology::compile_topology(topology::TopologySpec{});
  static const topology::PathRouter router(graph);
  struct Listener : components::AccessListener {
    void on_access_done(const components::AccessTimes& times) override {
      done.push_back(times.done.ps());
    }
    std::vector<std::int64_t> done;
  };
  engine::Simulation simulation;
  components::MachineOptions options;
  options.router = &router;
  components::Machine machine(simulation, graph, options);
  machine.network().set_fidelity(fidelity);
  Listener listener;
  for (std::uint32_t pe = 0; pe < pes; ++pe) {
    const auto path =
        router.find_path("sip0.cube0.pe" + std::to_string(pe), "sip0.cube0.hbm_ctrl.pe0");
    components::RoutedAccess access;
    access.write = write;
    access.route = &machine.network().route(path.edges);
    access.address = 65536 * pe;
    access.bytes = bytes;
    access.row_bytes = rows.bytes;
    access.row_stride = rows.stride;
    machine.accesses().submit(access, &listener);
  }
  simulation.run();
  return listener.done;
}

TEST(WholeMessages, OfMemoriesTakeTheTimeOfTheBandwidth) {
  for (const bool write : {false, true}) {
    const auto flits = times_of_accesses(Fidelity::Flit, write, 65536, 1);
    const auto whole = times_of_accesses(Fidelity::Message, write, 65536, 1);
    ASSERT_EQ(flits.size(), 1U);
    // The hash of addresses loads the eight channels unevenly, which costs flits 7 ns.
    EXPECT_NEAR(static_cast<double>(whole[0]), static_cast<double>(flits[0]), 0.02 * 512000.0);
    // Four PEs share the slice of 128 GB/s: 2,048 ns in all.
    const auto shared_flits = times_of_accesses(Fidelity::Flit, write, 65536, 4);
    const auto shared = times_of_accesses(Fidelity::Message, write, 65536, 4);
    ASSERT_EQ(shared.size(), 4U);
    EXPECT_NEAR(static_cast<double>(shared[3]), static_cast<double>(shared_flits[3]),
                0.01 * 2048000.0);
  }
  EXPECT_EQ(times_of_accesses(Fidelity::Message, false, 16, 1),
            times_of_accesses(Fidelity::Flit, false, 16, 1));
}

TEST(WholeMessages, OfManyRowsWaitForTheChannelsOfTheRows) {
  const auto read = [](Fidelity fidelity, std::uint64_t stride) {
    return times_of_accesses(fidelity, false, 16384, 1, {256, stride}).at(0);
  };
  EXPECT_EQ(read(Fidelity::Message, 256), 164146);
  // The fullest channel has more than 8 of 64 rows, 16 ns each. Flits also leave in the order of
  // their addresses, which costs them up to 9 ns more.
  EXPECT_EQ(read(Fidelity::Message, 2048), 228146);
  EXPECT_EQ(read(Fidelity::Flit, 2048), 235146);
  EXPECT_EQ(read(Fidelity::Message, 65536), 244146);
  EXPECT_EQ(read(Fidelity::Flit, 65536), 253146);
}

}  // namespace
}  // namespace kernbench::model::transport

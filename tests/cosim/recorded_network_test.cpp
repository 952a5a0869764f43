// SPDX-License-Identifier: Apache-2.0
// Networks of routers in the files that reproduce a failure.
#include "cosim/workload/recorded_network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "tests/places.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/zoo_spec.hpp"

namespace kernbench::cosim {
namespace {

namespace zoo = topology::zoo;
using ::testing::IsEmpty;

/// Returns a network as a file gives it back.
RecordedNetwork written_and_read(const zoo::BaseTopology& topology) {
  return common::value_of<RecordedNetwork>(common::to_json(recorded_network(topology, {})), "file");
}

/// Expects the same channels and, between all nodes with endpoints, the same routes.
void expect_same(const zoo::BaseTopology& one, const zoo::BaseTopology& other) {
  ASSERT_EQ(one.channels(), other.channels()) << one.name();
  for (std::size_t i = 0; i < one.channels().size(); ++i) {
    EXPECT_EQ(one.channels()[i].stages, other.channels()[i].stages);
  }
  EXPECT_EQ(one.node_names(), other.node_names());
  EXPECT_EQ(one.endpoints(), other.endpoints());
  const auto routes = zoo::natural_routing(one);
  const auto again = zoo::natural_routing(other);
  ASSERT_EQ(routes->n_vcs(), again->n_vcs());
  for (std::uint32_t src = 0; src < one.n_nodes(); ++src) {
    for (std::uint32_t dst = 0; dst < one.n_nodes(); ++dst) {
      if (!one.is_pair(src, dst)) continue;
      std::optional<zoo::Hop> in;
      for (std::uint32_t at = src; at != dst; at = one.channels()[in->channel].dst) {
        const auto hops = routes->next(at, in, dst);
        const auto same = again->next(at, in, dst);
        ASSERT_EQ(hops.empty(), same.empty()) << one.name() << " " << src << " to " << dst;
        if (hops.empty()) break;
        ASSERT_EQ(hops.front(), same.front()) << one.name() << " " << src << " to " << dst;
        in = hops.front();
      }
    }
  }
}

TEST(RecordedNetwork, IsTheTextOfTheZooIfThatGivesTheSameNetwork) {
  for (const char* text : {"Mesh2D(3,2)", "BidirectionalTorus2D(4,4)", "Butterfly(2,3)",
                           "TerminalRouter(BidirectionalLine(4))"}) {
    const zoo::TopologyPtr topology = zoo::open_topology(text);
    const RecordedNetwork network = written_and_read(*topology);
    EXPECT_EQ(network.topology, text);
    EXPECT_THAT(network.channels, IsEmpty());
    expect_same(*topology, *topology_of(network, "file"));
  }
}

TEST(RecordedNetwork, HasTheGraphAndTheRoutesOfFiles) {
  for (const char* name : {"custom", "custom_from_csv", "custom_from_graphml", "custom_from_anynet",
                           "mesh_2d_yx", "islands", "hierarchical"}) {
    const zoo::TopologyPtr topology =
        zoo::open_topology(places::source(std::string("/configs/zoo/") + name + ".yaml"));
    expect_same(*topology, *topology_of(written_and_read(*topology), "file"));
  }
}

TEST(RecordedNetwork, IsRefusedUnlessItIsWhole) {
  const auto refusal = [](const RecordedNetwork& network) {
    try {
      (void)topology_of(network, "cosim-1.json");
    } catch (const common::BadInput& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  RecordedNetwork network;
  network.nodes = 2;
  network.channels = {{0, 1}, {1, 2}};
  EXPECT_EQ(refusal(network),
            "error: cosim-1.json: data.network: CustomTopology(2,2 edges): edge 1->2 is outside "
            "nodes 0..1");
  network.channels = {{0, 1}, {1, 0}};
  EXPECT_EQ(refusal(network), "none");
  network.channel_stages = {1};
  EXPECT_EQ(refusal(network),
            "error: cosim-1.json: 'data.network.channel_stages' must have 2 items, one for each "
            "channel, not 1");
  network.channel_stages.clear();
  network.routes = "src,dst,step,from,to,vc\n0,1,0,0,1,0\n1,0,0,0,1,0\n";
  EXPECT_THAT(
      refusal(network),
      ::testing::StartsWith("cosim-1.json: data.network.routes:3:1: error: the route from 1 "
                            "to 0 is at node 1 here, not at 0\n"));
  network = {};
  network.topology = "Mush2D(2,2)";
  EXPECT_THAT(refusal(network), ::testing::HasSubstr("Mush2D"));
}

}  // namespace
}  // namespace kernbench::cosim

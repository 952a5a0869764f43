// SPDX-License-Identifier: Apache-2.0
// Searches that enter only the SIPs of their source and goals find the paths of searches that enter
// all.
#include <gtest/gtest.h>

#include <vector>

#include "common/random.hpp"
#include "topology/graph/compile.hpp"
#include "topology/routing/shortest_paths.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

TopologySpec draw_spec(common::Rng& random) {
  const auto length = [&] { return static_cast<double>(random.below(4)) * 0.5; };
  TopologySpec spec;
  spec.system.sips = 2 + static_cast<std::uint32_t>(random.below(3));
  spec.system.switch_to_pcie_ep.distance_mm = length();
  spec.sip.cube_mesh_w = 1 + static_cast<std::uint32_t>(random.below(3));
  spec.sip.cube_mesh_h = 1 + static_cast<std::uint32_t>(random.below(2));
  spec.sip.ucie_mesh_distance_mm = length();
  if (spec.sip.cube_mesh_w > 1 && spec.sip.cube_mesh_h > 1 && random.below(2) == 0) {
    spec.sip.inter_cube = InterCube::Maze;
  }
  constexpr Side kSides[] = {Side::North, Side::East, Side::South, Side::West};
  spec.sip.io_chiplets[0].side = kSides[random.below(4)];
  if (random.below(2) == 0) {
    spec.sip.io_chiplets.push_back(spec.sip.io_chiplets[0]);
    spec.sip.io_chiplets[1].id = "io1";
    spec.sip.io_chiplets[1].side = kSides[random.below(4)];
  }
  for (IoChipletSpec& chiplet : spec.sip.io_chiplets)
    chiplet.io_ucie_to_cube.distance_mm = length();
  spec.cube.corners = {Corner::NW, Corner::SE};
  spec.cube.pe_per_corner = 1;
  spec.cube.memory_map.slices_per_cube = 2;
  return spec;
}

TEST(SipsThatAreLeaves, AreEnteredOnlyForAGoalWithoutChangingAPath) {
  common::Rng random(45);
  std::size_t compared = 0;
  std::size_t between = 0;
  for (int system = 0; system < 40; ++system) {
    const TopologyGraph graph = compile_topology(draw_spec(random));
    ASSERT_TRUE(are_sips_leaves(graph));
    const Stops stops(graph);
    const auto tables = build_adjacencies(graph, stops);
    const auto drawn_node = [&] {
      return NodeId(static_cast<std::uint32_t>(random.below(graph.nodes().size())));
    };
    for (int search = 0; search < 20; ++search) {
      const ArcTable& arcs = tables[random.below(tables.size())];
      const bool without_command = random.below(2) == 0;
      const NodeId source = drawn_node();
      ShortestPaths some(graph, stops, arcs, source, without_command, true);
      ShortestPaths all(graph, stops, arcs, source, without_command, false);
      for (int goal = 0; goal < 20; ++goal) {
        const NodeId to = drawn_node();
        const auto distance = all.distance_nm(to);
        ASSERT_EQ(some.distance_nm(to), distance) << graph.name(source) << " to " << graph.name(to);
        if (!distance) continue;
        ASSERT_EQ(some.edges_to(to), all.edges_to(to))
            << graph.name(source) << " to " << graph.name(to);
        ++compared;
        between += graph.node(source).sip != graph.node(to).sip ? 1U : 0U;
      }
    }
  }
  EXPECT_GT(compared, 5000U);
  EXPECT_GT(between, 1000U);
}

}  // namespace
}  // namespace kernbench::topology

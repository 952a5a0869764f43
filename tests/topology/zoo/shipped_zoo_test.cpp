// SPDX-License-Identifier: Apache-2.0
// All files of configs/zoo can be read, drawn and routed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "route_walk.hpp"
#include "tests/places.hpp"
#include "topology/zoo/zoo.hpp"

namespace kernbench::topology::zoo {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(places::kSource) / "configs" / "zoo";

/// Returns the topology of each file, by file name.
std::map<std::string, TopologyPtr> shipped() {
  std::map<std::string, TopologyPtr> all;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".yaml") continue;
    all[entry.path().filename().string()] = load_zoo_spec(entry.path());
  }
  return all;
}

TEST(ShippedZoo, HasTheseTopologies) {
  std::map<std::string, std::string> names;
  for (const auto& [file, topology] : shipped()) names[file] = topology->name();
  const std::string lines_on_a_ring =
      "HierarchicalTopology(UnidirectionalTorus1D(4),(0,2,BidirectionalLine(5)),"
      "(2,1,BidirectionalLine(3)))";
  const std::map<std::string, std::string> expected = {
      {"bidirectional_line.yaml", "BidirectionalLine(4)"},
      {"bidirectional_torus_1d.yaml", "BidirectionalTorus1D(6)"},
      {"bidirectional_torus_2d.yaml", "BidirectionalTorus2D(4,3)"},
      {"bidirectional_tree.yaml", "BidirectionalTree(3,2)"},
      {"butterfly.yaml", "Butterfly(2,3)"},
      {"custom.yaml", "CustomTopology(10,15 edges)"},
      {"custom_from_anynet.yaml", "CustomTopology(6,12 edges)"},
      {"custom_from_csv.yaml", "CustomTopology(10,15 edges)"},
      {"custom_from_graphml.yaml", "CustomTopology(7,12 edges)"},
      {"flattened_butterfly.yaml", "FlattenedButterfly(4,4)"},
      {"hierarchical.yaml", lines_on_a_ring},
      {"islands.yaml", "CustomTopology(5,6 edges)"},
      {"maze.yaml", "FlattenedButterfly(8,8)"},
      {"mesh_2d.yaml", "Mesh2D(4,3)"},
      {"mesh_2d_yx.yaml", "Mesh2D(3,2)"},
      {"terminal_hierarchical.yaml", "TerminalRouter(" + lines_on_a_ring + ")"},
      {"terminal_router.yaml", "TerminalRouter(BidirectionalLine(4))"},
      {"unidirectional_line.yaml", "UnidirectionalLine(4)"},
      {"unidirectional_torus_1d.yaml", "UnidirectionalTorus1D(6)"},
      {"unidirectional_torus_2d.yaml", "UnidirectionalTorus2D(4,3)"}};
  EXPECT_EQ(names, expected);
}

TEST(ShippedZoo, HasEveryKind) {
  std::set<std::string> kinds;
  for (const auto& [file, topology] : shipped()) {
    kinds.insert(topology->name().substr(0, topology->name().find('(')));
  }
  for (const ZooKind& kind : zoo_kinds()) EXPECT_EQ(kinds.count(std::string(kind.name)), 1U);
  EXPECT_EQ(kinds.size(), zoo_kinds().size());
}

TEST(ShippedZoo, HasTheSameGraphInYamlAndInCsv) {
  EXPECT_EQ(load_zoo_spec(kFolder / "custom.yaml")->channels(),
            load_zoo_spec(kFolder / "custom_from_csv.yaml")->channels());
}

TEST(ShippedZoo, HasAMeshWithRoutesOfItsOwn) {
  const TopologyPtr mesh = load_zoo_spec(kFolder / "mesh_2d_yx.yaml");
  const auto routes = natural_routing(*mesh);
  EXPECT_THAT(routes->name(), testing::StartsWith("table mesh_2d_yx.csv ("));
  EXPECT_EQ(route(*routes, 0, 5), "0 -0> 3 -0> 4 -0> 5");
}

TEST(ShippedZoo, IsDrawn) {
  for (const auto& [file, topology] : shipped()) {
    EXPECT_THAT(render_zoo_svg(*topology), testing::EndsWith("</svg>\n")) << file;
  }
}

TEST(ShippedZoo, IsRoutedWithoutDeadlock) {
  for (const auto& [file, topology] : shipped()) {
    const RoutingCheck check = check_routing(*natural_routing(*topology));
    EXPECT_TRUE(check.passed()) << file << "\n" << routing_report(*topology, check);
    EXPECT_GT(check.joined(), 0U) << file;
  }
}

TEST(ShippedZoo, DeadlocksOnItsRingsWithoutVirtualChannels) {
  std::set<std::string> with_cycle;
  for (const auto& [file, topology] : shipped()) {
    if (!check_routing(ShortestPathRouting(*topology)).deadlock_free()) with_cycle.insert(file);
  }
  const std::set<std::string> expected = {"bidirectional_torus_1d.yaml",
                                          "bidirectional_torus_2d.yaml",
                                          "custom.yaml",
                                          "custom_from_anynet.yaml",
                                          "custom_from_csv.yaml",
                                          "flattened_butterfly.yaml",
                                          "hierarchical.yaml",
                                          "maze.yaml",
                                          "mesh_2d.yaml",
                                          "mesh_2d_yx.yaml",
                                          "terminal_hierarchical.yaml",
                                          "unidirectional_torus_1d.yaml",
                                          "unidirectional_torus_2d.yaml"};
  EXPECT_EQ(with_cycle, expected);
}

}  // namespace
}  // namespace kernbench::topology::zoo

// SPDX-License-Identifier: Apache-2.0
// Routes between cubes over lanes: properties of drawn systems, and how evenly traffic that a
// system is built for loads the connections of a side.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/random.hpp"
#include "topology/check/structure_check.hpp"
#include "topology/graph/compile.hpp"
#include "topology/routing/address_resolver.hpp"
#include "topology/routing/path_router.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

TopologySpec mesh_of(std::uint32_t w, std::uint32_t h, std::uint32_t connections) {
  TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.cube_mesh_w = w;
  spec.sip.cube_mesh_h = h;
  spec.cube.ucie_n_connections = connections;
  return spec;
}

class Drawn {
 public:
  explicit Drawn(std::uint64_t index) : rng_(common::Rng::stream(22, "lanes", index)) {}

  TopologySpec spec() {
    TopologySpec spec = mesh_of(1 + below(6), 1 + below(6), 1 + below(8));
    spec.system.sips = 1 + below(3);
    // At least one corner, in any order.
    std::vector<Corner> corners = {Corner::NW, Corner::NE, Corner::SW, Corner::SE};
    for (std::size_t i = corners.size(); i > 1; --i) {
      std::swap(corners[i - 1], corners[below(static_cast<std::uint32_t>(i))]);
    }
    corners.resize(1 + below(4));
    spec.cube.corners = corners;
    spec.cube.pe_per_corner = 1 + below(2);
    return spec;
  }
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(rng_.below(bound)); }

 private:
  common::Rng rng_;
};

/// Column and row of a cube in its SIP.
std::pair<std::uint32_t, std::uint32_t> place(const TopologyGraph& graph, NodeId node) {
  const std::uint32_t w = graph.spec().sip.cube_mesh_w;
  return {graph.node(node).cube % w, graph.node(node).cube / w};
}

std::vector<NodeId> nodes_of(const TopologyGraph& graph, NodeKind kind) {
  std::vector<NodeId> found;
  for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (graph.nodes()[i].kind == kind) found.emplace_back(i);
  }
  return found;
}

void expect_joined(const TopologyGraph& graph, const Path& route) {
  std::int64_t weight = 0;
  ASSERT_EQ(route.edges.size() + 1, route.nodes.size());
  for (std::size_t i = 0; i < route.edges.size(); ++i) {
    const Edge& edge = graph.edge(route.edges[i]);
    ASSERT_EQ(edge.from, route.nodes[i]);
    ASSERT_EQ(edge.to, route.nodes[i + 1]);
    weight += edge.weight_nm();
  }
  EXPECT_EQ(weight, route.distance_nm);
}

/// Every connection by which a route enters a PHY leads out of it, or of the facing one, at a
/// connection of the same number.
void expect_lanes_kept(const TopologyGraph& graph, const Path& route) {
  std::optional<NodeId> entered;  // the connection before the PHYs
  for (const NodeId id : route.nodes) {
    const Node& node = graph.node(id);
    if (node.kind == NodeKind::UciePhy) continue;
    if (node.kind != NodeKind::UcieConn) {
      entered.reset();
    } else if (!entered) {
      entered = id;
    } else {
      EXPECT_EQ(node.lane, graph.node(*entered).lane) << graph.name(id);
      EXPECT_NE(node.cube, graph.node(*entered).cube) << graph.name(id);
      entered.reset();
    }
  }
}

/// Returns true if the route goes to cubes along X first, then along Y, never back.
bool is_xy_over_cubes(const TopologyGraph& graph, const Path& route) {
  const auto [x0, y0] = place(graph, route.nodes.front());
  const auto [x1, y1] = place(graph, route.nodes.back());
  auto at = std::pair(x0, y0);
  for (const NodeId id : route.nodes) {
    const auto next = place(graph, id);
    if (next == at) continue;
    std::pair<std::uint32_t, std::uint32_t> wanted = at;
    if (at.first != x1) {
      wanted.first += at.first < x1 ? 1U : ~0U;
    } else {
      wanted.second += at.second < y1 ? 1U : ~0U;
    }
    if (next != wanted) return false;
    at = next;
  }
  return at == std::pair(x1, y1);
}

/// Returns true if every row and column of PEs has a connection.
bool has_connections_everywhere(const CubeMesh& mesh) {
  const auto& east = mesh.ucie_routers.at(static_cast<std::size_t>(Side::East));
  const auto& north = mesh.ucie_routers.at(static_cast<std::size_t>(Side::North));
  return std::all_of(mesh.pe_routers.begin(), mesh.pe_routers.end(), [&](GridSlot pe) {
    return std::any_of(east.begin(), east.end(), [&](GridSlot c) { return c.row == pe.row; }) &&
           std::any_of(north.begin(), north.end(),
                       [&](GridSlot c) { return c.column == pe.column; });
  });
}

TEST(Lanes, RoutesOfDrawnSystemsAreRealPathsThatKeepTheirLane) {
  std::size_t across = 0;
  std::size_t everywhere = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    Drawn drawn(i);
    const TopologyGraph graph = compile_topology(drawn.spec());
    const PathRouter router(graph);
    const PathRouter uncached(graph, 0);
    const std::vector<NodeId> sources = nodes_of(graph, NodeKind::PeDma);
    const std::vector<NodeId> goals = nodes_of(graph, NodeKind::HbmCtrl);
    const bool full = has_connections_everywhere(graph.mesh());
    everywhere += full ? 1 : 0;
    SCOPED_TRACE("drawn system " + std::to_string(i));
    for (int k = 0; k < 20; ++k) {
      const NodeId source = sources[drawn.below(static_cast<std::uint32_t>(sources.size()))];
      const NodeId goal = goals[drawn.below(static_cast<std::uint32_t>(goals.size()))];
      const Path route = router.find_path(source, goal);
      SCOPED_TRACE(std::string(graph.name(source)) + " to " + std::string(graph.name(goal)));
      expect_joined(graph, route);
      expect_lanes_kept(graph, route);
      EXPECT_EQ(router.find_path(source, goal), route);
      EXPECT_EQ(uncached.find_path(source, goal), route);
      EXPECT_EQ(router.wires(route), route.edges);
      if (graph.node(source).sip != graph.node(goal).sip) continue;
      across += graph.node(source).cube != graph.node(goal).cube ? 1 : 0;
      EXPECT_TRUE(!full || is_xy_over_cubes(graph, route));
    }
  }
  EXPECT_GT(across, 500U);
  EXPECT_GT(everywhere, 20U);
}

TEST(Lanes, DrawnSystemsWithAConnectionOnEveryRowAndColumnOfPesCloseNoRing) {
  std::size_t checked = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    Drawn drawn(1000 + i);
    TopologySpec spec = drawn.spec();
    spec.system.sips = 1;
    spec.sip.cube_mesh_w = std::min(spec.sip.cube_mesh_w, 3U);
    spec.sip.cube_mesh_h = std::min(spec.sip.cube_mesh_h, 3U);
    const TopologyGraph graph = compile_topology(spec);
    if (!has_connections_everywhere(graph.mesh())) continue;
    ++checked;
    EXPECT_TRUE(check_structure(graph).deadlock_free()) << "drawn system " << 1000 + i;
  }
  EXPECT_GT(checked, 80U);
}

// A search alone would take the lower of two connections at one router, and leave half of them
// idle.
TEST(Lanes, ConnectionsAtOneRouterShareTheRoutes) {
  TopologySpec spec = mesh_of(4, 4, 8);
  spec.cube.router_rows_per_half = 2;
  const TopologyGraph graph = compile_topology(spec);
  const PathRouter router(graph);
  std::map<NodeId, int> routes;
  for (const NodeId source : nodes_of(graph, NodeKind::PeDma)) {
    for (const NodeId goal : nodes_of(graph, NodeKind::HbmCtrl)) {
      for (const NodeId node : router.find_path(source, goal).nodes) {
        if (graph.node(node).kind == NodeKind::UcieConn) ++routes[node];
      }
    }
  }
  // Connections i and i + 4 of the east and west sides are at one router.
  std::size_t pairs = 0;
  for (const auto& [connection, count] : routes) {
    const std::string name(graph.name(connection));
    const char lane = name.back();
    const bool is_lower = lane < '4' && (name.find("ucie_e") != std::string::npos ||
                                         name.find("ucie_w") != std::string::npos);
    if (!is_lower) continue;
    ++pairs;
    const std::string other = name.substr(0, name.size() - 1) + static_cast<char>(lane + 4);
    const int more = routes.at(graph.find(other).value());
    EXPECT_NEAR(more, count, 0.25 * std::max(more, count)) << name;
  }
  EXPECT_EQ(pairs, 96U);  // 12 pairs of cubes east and west of each other, each with 2 x 4
  EXPECT_TRUE(check_structure(graph).deadlock_free());
}

/// How unevenly traffic loads connections.
struct Spread {
  double of_a_side =
      0;  ///< most of a connection by the mean of its own side: the largest of all sides
  double of_busiest = 0;  ///< most of any connection by the mean of the side with the most traffic
};

/// Returns the spread when every PE sends to the slice of the same number of the cube dx columns
/// and dy rows away, if there is one. Sides count in each direction.
Spread spread(const TopologyGraph& graph, int dx, int dy) {
  const PathRouter router(graph);
  const AddressResolver resolver(graph);
  const auto w = static_cast<int>(graph.spec().sip.cube_mesh_w);
  const auto h = static_cast<int>(graph.spec().sip.cube_mesh_h);
  std::map<std::pair<NodeId, bool>, std::map<NodeId, int>> loads;  // by PHY and direction
  for (int cube = 0; cube < w * h; ++cube) {
    const int x = cube % w + dx;
    const int y = cube / w + dy;
    if (x < 0 || x >= w || y < 0 || y >= h) continue;
    const std::string target = "sip0.cube" + std::to_string(y * w + x);
    for (std::uint32_t pe = 0; pe < graph.spec().cube.pes(); ++pe) {
      const Path route =
          router.find_path("sip0.cube" + std::to_string(cube) + ".pe" + std::to_string(pe),
                           target + ".hbm_ctrl.pe" + std::to_string(pe));
      for (const EdgeId id : route.edges) {
        const Edge& edge = graph.edge(id);
        if (edge.kind != EdgeKind::UcieInternal) continue;
        const bool out = graph.node(edge.from).kind == NodeKind::UcieConn;
        ++loads[{out ? edge.to : edge.from, out}][out ? edge.from : edge.to];
      }
    }
  }
  Spread worst;
  int most_of_all = 0;
  int busiest = 0;
  const double connections = graph.spec().cube.ucie_n_connections;
  for (const auto& [side, by_connection] : loads) {
    int sum = 0;
    int most = 0;
    for (const auto& [connection, load] : by_connection) {
      sum += load;
      most = std::max(most, load);
    }
    worst.of_a_side = std::max(worst.of_a_side, most * connections / sum);
    most_of_all = std::max(most_of_all, most);
    busiest = std::max(busiest, sum);
  }
  worst.of_busiest = most_of_all * connections / busiest;
  return worst;
}

struct Offset {
  int dx, dy;
};

TEST(Lanes, ConnectionsOfASideCarryEqualFlowsOnMeshesOf1x2To16x16) {
  struct Case {
    std::uint32_t w, h;
    std::vector<Offset> offsets;
  };
  const std::vector<Case> cases = {
      {1, 2, {{0, 1}, {0, -1}}},
      {2, 1, {{1, 0}, {-1, 0}}},
      {3, 1, {{1, 0}, {2, 0}}},
      {3, 3, {{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {2, -2}}},
      {4, 4, {{3, 3}, {-1, -2}, {1, 0}}},
      {8, 8, {{3, 2}, {0, 7}}},
      {16, 16, {{5, 4}}},
  };
  for (const Case& c : cases) {
    for (const std::uint32_t connections : {1U, 2U, 4U}) {
      const TopologyGraph graph = compile_topology(mesh_of(c.w, c.h, connections));
      for (const auto& [dx, dy] : c.offsets) {
        // With two connections a route west to a column without one crosses in the cube before.
        if (connections == 2 && dx < 0 && dy != 0) continue;
        EXPECT_EQ(spread(graph, dx, dy).of_a_side, 1.0)
            << c.w << " x " << c.h << ", " << connections << " connections, by " << dx << ", "
            << dy;
      }
    }
  }
}

TEST(Lanes, RoutesWestOverTwoConnectionsAreWithinTwiceTheMean) {
  const TopologyGraph graph = compile_topology(mesh_of(4, 4, 2));
  const Spread found = spread(graph, -1, 1);
  EXPECT_EQ(found.of_a_side, 2.0);  // the east column's south sides, with traffic of two PEs only
  EXPECT_EQ(found.of_busiest, 1.25);
}

// PEs stand in four rows and four columns of a cube, so more connections are not all in use.
TEST(Lanes, OtherCountsLoadNoConnectionOverTwiceTheMeanUpToEight) {
  std::map<std::uint32_t, double> worst;
  for (const std::uint32_t connections : {3U, 5U, 6U, 7U, 8U, 12U, 16U}) {
    const TopologyGraph graph = compile_topology(mesh_of(4, 4, connections));
    for (const auto& [dx, dy] :
         std::vector<Offset>{{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {-2, 1}, {3, -3}, {-1, -1}}) {
      worst[connections] = std::max(worst[connections], spread(graph, dx, dy).of_busiest);
    }
  }
  EXPECT_EQ(worst,
            (std::map<std::uint32_t, double>{
                {3, 1.875}, {5, 1.25}, {6, 1.5}, {7, 1.75}, {8, 2.0}, {12, 3.0}, {16, 4.0}}));
}

}  // namespace
}  // namespace kernbench::topology

// SPDX-License-Identifier: Apache-2.0
// Compares the analytic MAZE at zero load with packets that move cycle by cycle over the reference
// model of TOPO, between minimal nodes.
#include "model/fabric/analytic/maze_fabric.hpp"

#include <algorithm>
#include <map>

#include "fabric_fixture.hpp"
#include "maze/topo_model.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::fabric {
namespace {

using ::testing::ElementsAre;
using topology::DimensionOrder;

topology::SipSpec maze_sip(unsigned nx, unsigned ny, DimensionOrder order = DimensionOrder::XY) {
  topology::SipSpec sip;
  sip.inter_cube = topology::InterCube::Maze;
  sip.cube_mesh_w = nx;
  sip.cube_mesh_h = ny;
  sip.maze.order = order;
  return sip;
}

/// The ports by which the packets of a transfer leave each node, and the nodes where they end.
struct Tree {
  std::map<unsigned, std::vector<unsigned>> ports;
  std::vector<unsigned> ends;
};

unsigned x_port(const maze::Shape& shape, unsigned from, unsigned to) {
  return (to % shape.nx + shape.nx - from % shape.nx) % shape.nx - 1;
}
unsigned y_port(const maze::Shape& shape, unsigned from, unsigned to) {
  return shape.x_ports() + (to / shape.nx + shape.ny - from / shape.nx) % shape.ny - 1;
}

Tree unicast_tree(const maze::Shape& shape, unsigned src, unsigned dst, DimensionOrder order) {
  Tree tree;
  const unsigned corner = order == DimensionOrder::XY ? src / shape.nx * shape.nx + dst % shape.nx
                                                      : dst / shape.nx * shape.nx + src % shape.nx;
  const auto port = [&](unsigned from, unsigned to) {
    return from / shape.nx == to / shape.nx ? x_port(shape, from, to) : y_port(shape, from, to);
  };
  if (corner != src) tree.ports[src].push_back(port(src, corner));
  if (corner != dst) tree.ports[corner].push_back(port(corner, dst));
  tree.ends.push_back(dst);
  return tree;
}

Tree broadcast_tree(const maze::Shape& shape, unsigned src, DimensionOrder order) {
  Tree tree;
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    if (node != src) tree.ends.push_back(node);
    const bool same_row = node / shape.nx == src / shape.nx;
    const bool same_column = node % shape.nx == src % shape.nx;
    const bool xy = order == DimensionOrder::XY;
    for (unsigned port = 0; port < shape.ports(); ++port) {
      const bool second = xy == (port >= shape.x_ports());
      if (node == src || ((xy ? same_row : same_column) && second)) {
        tree.ports[node].push_back(port);
      }
    }
  }
  return tree;
}

/// Returns the cycles until `packets` packets have reached every end. The source drives the first
/// packet in the first cycle; a node forwards a packet in the cycle after its arrival.
unsigned cycles_over_topo(const maze::Shape& shape, unsigned src, const Tree& tree,
                          unsigned packets) {
  maze::TopoModel topo(shape);
  maze::TopoInputs inputs(shape);
  maze::TopoOutputs outputs(shape);
  std::fill_n(inputs.in_ready.data(), inputs.in_ready.size(), ~std::uint64_t{0});
  std::vector<unsigned> to_send(shape.nodes());
  std::vector<unsigned> received(shape.nodes());
  to_send[src] = packets;
  for (unsigned cycle = 1; cycle < 10000; ++cycle) {
    inputs.out_valid.clear();
    for (const auto& [node, ports] : tree.ports) {
      if (to_send[node] == 0) continue;
      --to_send[node];
      for (const unsigned port : ports) inputs.out_valid.set(port, node);
    }
    topo.evaluate(inputs, outputs);
    for (unsigned node = 0; node < shape.nodes(); ++node) {
      for (unsigned port = 0; port < shape.ports(); ++port) {
        if (inputs.out_valid.test(port, node)) {
          EXPECT_TRUE(outputs.out_ready.test(port, node));
        }
        if (!outputs.in_valid.test(port, node)) continue;
        ++received[node];
        if (tree.ports.contains(node)) ++to_send[node];
      }
    }
    topo.clock(inputs);
    if (std::all_of(tree.ends.begin(), tree.ends.end(),
                    [&](unsigned end) { return received[end] == packets; })) {
      return cycle;
    }
  }
  ADD_FAILURE() << "packets do not arrive";
  return 0;
}

/// Returns the same for the analytic fabric.
std::int64_t cycles_of(const topology::SipSpec& sip, const Transfer& transfer) {
  engine::Simulation simulation;
  const auto fabric = make_analytic_maze(simulation, sip, MazeNodeKind::Ideal,
                                         default_parameters(MazeNodeKind::Ideal));
  Recorder recorder(simulation);
  fabric->submit(transfer, recorder);
  simulation.run();
  return recorder.done.at(0).ps / 1000;
}

void expect_all_pairs_equal(unsigned nx, unsigned ny, DimensionOrder order, unsigned packets) {
  const topology::SipSpec sip = maze_sip(nx, ny, order);
  const maze::Shape shape{.nx = nx, .ny = ny, .flit_w = 8};
  for (unsigned src = 0; src < shape.nodes(); ++src) {
    for (unsigned dst = 0; dst < shape.nodes(); ++dst) {
      if (src == dst) continue;
      EXPECT_EQ(cycles_of(sip, unicast(1, src, dst, packets)),
                cycles_over_topo(shape, src, unicast_tree(shape, src, dst, order), packets))
          << src << " to " << dst << " of " << nx << "x" << ny;
    }
  }
}

TEST(AnalyticMaze, EqualsTheCycleModelForEveryPairOf8x8) {
  expect_all_pairs_equal(8, 8, DimensionOrder::XY, 1);
}

TEST(AnalyticMaze, EqualsTheCycleModelForManyPacketsInBothOrders) {
  for (const DimensionOrder order : {DimensionOrder::XY, DimensionOrder::YX}) {
    expect_all_pairs_equal(2, 2, order, 40);
    expect_all_pairs_equal(5, 3, order, 7);
    expect_all_pairs_equal(3, 7, order, 2);
  }
}

TEST(AnalyticMaze, EqualsTheCycleModelForBroadcasts) {
  for (const DimensionOrder order : {DimensionOrder::XY, DimensionOrder::YX}) {
    for (const auto& [nx, ny] : {std::pair{8U, 8U}, std::pair{5U, 3U}, std::pair{3U, 7U}}) {
      const maze::Shape shape{.nx = nx, .ny = ny, .flit_w = 8};
      const Transfer transfer{.id = 1, .src = nx, .type = TransferType::Broadcast, .bytes = 5};
      EXPECT_EQ(cycles_of(maze_sip(nx, ny, order), transfer),
                cycles_over_topo(shape, nx, broadcast_tree(shape, nx, order), 5));
    }
  }
}

// Node 0 of 8x8 to x = 4 (3 stages), then y = 3 (2 stages): 3 + 1 + 2 + packets.
TEST(AnalyticMaze, AddsTheStagesOfBothHopsAndOneCycleAtTheCorner) {
  EXPECT_EQ(cycles_of(maze_sip(8, 8), unicast(1, 0, 28, 1)), 7);
  EXPECT_EQ(cycles_of(maze_sip(8, 8), unicast(1, 0, 28, 256)), 262);
}

// The comparison above detects missing link stages.
TEST(AnalyticMaze, DiffersFromTheCycleModelWithoutIrsStages) {
  FabricUnderTest test("FlattenedButterfly(8,8)");
  test.submit_at(0, unicast(1, 0, 28, 1));
  const maze::Shape shape;
  EXPECT_EQ(test.run().at(0).ps / 1000, 2);
  EXPECT_EQ(cycles_over_topo(shape, 0, unicast_tree(shape, 0, 28, DimensionOrder::XY), 1), 7U);
}

TEST(AnalyticMaze, TurnsAtTheCornerOfItsOrder) {
  const auto corner_use = [](DimensionOrder order) {
    engine::Simulation simulation;
    const auto fabric = make_analytic_maze(simulation, maze_sip(2, 2, order), MazeNodeKind::Ideal,
                                           default_parameters(MazeNodeKind::Ideal));
    Recorder recorder(simulation);
    fabric->submit(unicast(1, 0, 3, 9), recorder);
    simulation.run();
    const topology::zoo::FlattenedButterfly maze(2, 2);
    return std::pair(fabric->use(maze.find_channel(0, 1).value()).packets,
                     fabric->use(maze.find_channel(0, 2).value()).packets);
  };
  EXPECT_EQ(corner_use(DimensionOrder::XY), std::pair(std::uint64_t{9}, std::uint64_t{0}));
  EXPECT_EQ(corner_use(DimensionOrder::YX), std::pair(std::uint64_t{0}, std::uint64_t{9}));
}

TEST(AnalyticMaze, TakesItsPacketsAndItsClockFromTheSpec) {
  topology::SipSpec sip = maze_sip(2, 2);
  sip.maze.flit_bits = 32;
  sip.maze.clock_ns = 0.75;
  engine::Simulation simulation;
  const auto fabric = make_analytic_maze(simulation, sip, MazeNodeKind::Ideal,
                                         default_parameters(MazeNodeKind::Ideal));
  Recorder recorder(simulation);
  fabric->submit(unicast(1, 0, 1, 17), recorder);
  simulation.run();
  EXPECT_THAT(recorder.done, ElementsAre(Done{1, 5 * 750}));
}

TEST(AnalyticMaze, IsRefusedForCubesThatUcieJoins) {
  engine::Simulation simulation;
  EXPECT_EQ(error_of([&] { (void)make_analytic_maze(simulation, topology::SipSpec()); }),
            "the cubes are not joined by a MAZE: 'sip.inter_cube' must be maze");
}

}  // namespace
}  // namespace kernbench::model::fabric

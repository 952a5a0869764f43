// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fabric_fixture.hpp"
#include "model/fabric/analytic/maze_fabric.hpp"
#include "model/fabric/clocked/clocked_fabric.hpp"
#include "model/fabric/clocked/cycle_links.hpp"
#include "model/fabric/clocked/ideal_maze.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::model::fabric {

inline constexpr maze::Shape k4x4{4, 4, 8};
inline constexpr std::array kOrders = {topology::DimensionOrder::XY, topology::DimensionOrder::YX};

/// A MAZE of ideal nodes over the cycle reference of the links or over a test double of it, or any
/// other MAZE, with a clock of 1 ns.
struct CycleFabric {
  explicit CycleFabric(const maze::Shape& shape, const MazeSettings& settings = {},
                       Edge tick_until = 0)
      : CycleFabric(std::make_unique<CycleLinks>(shape), settings, tick_until) {}
  explicit CycleFabric(std::unique_ptr<LinkArray> links, const MazeSettings& settings = {},
                       Edge tick_until = 0)
      : CycleFabric(std::make_unique<IdealMaze>(std::move(links), settings), tick_until) {}
  explicit CycleFabric(std::unique_ptr<CycleMaze> maze, Edge tick_until = 0)
      : fabric(simulation, kNs, std::move(maze), tick_until), recorder(simulation) {}

  void submit_at(std::int64_t ps, const Transfer& transfer) {
    simulation.run_until(common::SimTime::from_ps(ps));
    fabric.submit(transfer, recorder);
  }
  void submit_all(const std::vector<Transfer>& transfers) {
    for (const Transfer& transfer : transfers) fabric.submit(transfer, recorder);
  }
  [[nodiscard]] const std::vector<Done>& run() {
    simulation.run();
    return recorder.done;
  }
  /// Returns the number of packets that entered links.
  [[nodiscard]] std::uint64_t entered() const {
    std::uint64_t sum = 0;
    for (std::size_t link = 0; link < fabric.network().links(); ++link) {
      sum += fabric.network().entered_link(link);
    }
    return sum;
  }

  engine::Simulation simulation;
  ClockedFabric fabric;
  Recorder recorder;
};

/// Zero-load latencies of transfers over the analytic fabric.
class AnalyticAlone {
 public:
  AnalyticAlone(const maze::Shape& shape, topology::DimensionOrder order,
                MazeNodeKind nodes = MazeNodeKind::Ideal,
                std::optional<std::uint32_t> failed = {}) {
    topology::SipSpec sip;
    sip.inter_cube = topology::InterCube::Maze;
    sip.cube_mesh_w = shape.nx;
    sip.cube_mesh_h = shape.ny;
    sip.maze.order = order;
    sip.maze.failed_node = failed;
    fabric_ = make_analytic_maze(simulation_, sip, nodes, default_parameters(nodes));
  }

  /// Returns the latency, in ps, of a transfer that is submitted at an edge.
  [[nodiscard]] std::int64_t latency(const Transfer& transfer) {
    recorder_.done.clear();
    const std::int64_t now = simulation_.now().ps();
    fabric_->submit(transfer, recorder_);
    simulation_.run();
    return recorder_.done.at(0).ps - now;
  }

 private:
  engine::Simulation simulation_;
  std::unique_ptr<Fabric> fabric_;
  Recorder recorder_{simulation_};
};

}  // namespace kernbench::model::fabric

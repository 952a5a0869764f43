// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/cycle_fabric.hpp"

#include "model/fabric/clocked/cycle_network.hpp"
#include "model/fabric/clocked/network_maze.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::model::fabric {

std::unique_ptr<ClockedFabric> make_cycle_maze(engine::Simulation& simulation,
                                               const topology::SipSpec& sip,
                                               const MazeSettings& settings) {
  MazeSettings of_sip = settings;
  of_sip.order = sip.maze.order;
  auto network = std::make_unique<CycleNetwork>(
      maze::NetworkConfig{.shape = {sip.cube_mesh_w, sip.cube_mesh_h, sip.maze.flit_bits},
                          .failed = sip.maze.failed_node},
      settings.observer);
  return std::make_unique<ClockedFabric>(simulation, common::SimTime::from_ns(sip.maze.clock_ns),
                                         std::make_unique<NetworkMaze>(std::move(network), of_sip));
}

}  // namespace kernbench::model::fabric

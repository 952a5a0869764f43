// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "model/engine/simulation.hpp"
#include "model/fabric/clocked/clocked_fabric.hpp"
#include "model/fabric/clocked/cycle_maze.hpp"
#include "topology/spec/spec_forward.hpp"

namespace kernbench::model::fabric {

/// Creates the fabric of a SIP whose cubes are connected by a MAZE, with the nodes that are built,
/// by its cycle-accurate reference. Size, packet size, clock and failed node come from `sip`.
/// `settings` gives all else; its order is ignored. Throws std::invalid_argument for an order other
/// than XY.
[[nodiscard]] std::unique_ptr<ClockedFabric> make_cycle_maze(engine::Simulation& simulation,
                                                             const topology::SipSpec& sip,
                                                             const MazeSettings& settings = {});

}  // namespace kernbench::model::fabric

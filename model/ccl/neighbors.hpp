// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/ccl/algorithm.hpp"
#include "model/components/parts/pe_ipcq.hpp"

namespace kernbench::model::ccl {

/// Returns the middle cube of a mesh, the root of center-rooted algorithms.
[[nodiscard]] constexpr std::uint32_t center_of(const Grid& grid) {
  return grid.h / 2 * grid.w + grid.w / 2;
}

/// Returns the neighbours of each PE within its SIP, for the first `world_size` SIPs: the same PE
/// of adjacent cubes in the mesh, N towards smaller y, W towards smaller x.
[[nodiscard]] std::vector<components::NeighborLink> mesh_links(std::uint32_t world_size,
                                                               const Grid& cubes,
                                                               std::uint32_t pes);

/// Returns the neighbours across SIPs of each PE of the cubes `root_cube`. For SipTopology::Snake
/// these are the first and last cubes of the snake instead.
[[nodiscard]] std::vector<components::NeighborLink> sip_links(SipTopology topology,
                                                              std::uint32_t world_size,
                                                              const Grid& sips, const Grid& cubes,
                                                              std::uint32_t root_cube,
                                                              std::uint32_t pes);

/// Returns the cube at a position of the snake, a path through all cubes of a SIP along adjacent
/// ones: row by row, every second row backwards.
[[nodiscard]] std::uint32_t snake_cube(const Grid& cubes, std::uint32_t position);
/// Returns the position of a cube in the snake.
[[nodiscard]] std::uint32_t snake_position(const Grid& cubes, std::uint32_t cube);

/// Returns the direction from a cube to an adjacent one: "N", "E", "S" or "W". Throws
/// std::logic_error if they are not adjacent.
[[nodiscard]] std::string_view direction_to(const Grid& cubes, std::uint32_t from,
                                            std::uint32_t to);

}  // namespace kernbench::model::ccl

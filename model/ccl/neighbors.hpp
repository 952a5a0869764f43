#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/ccl/algorithm.hpp"
#include "model/components/parts/pe_ipcq.hpp"

namespace kernbench::model::ccl {

/// The cube in the middle of a mesh, where center-rooted algorithms meet.
[[nodiscard]] constexpr std::uint32_t center_of(const Grid& grid) {
  return grid.h / 2 * grid.w + grid.w / 2;
}

/// The neighbour of each PE within its SIP: the same PE of the next cube in the mesh, N towards
/// smaller y, W towards smaller x. For the first `world_size` SIPs.
[[nodiscard]] std::vector<components::NeighborLink> mesh_links(std::uint32_t world_size,
                                                               const Grid& cubes,
                                                               std::uint32_t pes);

/// The neighbours across SIPs, of each PE of the cubes `root_cube` (of the first and last cubes of
/// the snake for SipTopology::Snake).
[[nodiscard]] std::vector<components::NeighborLink> sip_links(SipTopology topology,
                                                              std::uint32_t world_size,
                                                              const Grid& sips, const Grid& cubes,
                                                              std::uint32_t root_cube,
                                                              std::uint32_t pes);

/// A way through all cubes of a SIP, each a neighbour of the one before: row by row, every second
/// one backwards.
[[nodiscard]] std::uint32_t snake_cube(const Grid& cubes, std::uint32_t position);
[[nodiscard]] std::uint32_t snake_position(const Grid& cubes, std::uint32_t cube);

/// "N", "E", "S" or "W": from a cube to one beside it.
[[nodiscard]] std::string_view direction_to(const Grid& cubes, std::uint32_t from,
                                            std::uint32_t to);

}  // namespace kernbench::model::ccl

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

/// Positions within a SIP, in mm from its north-west corner. Cubes form a grid; each IO chiplet
/// lies outside the side that it serves.
class SipFrame {
 public:
  explicit SipFrame(const TopologySpec& spec);

  [[nodiscard]] double width_mm() const { return width_; }
  [[nodiscard]] double height_mm() const { return height_; }
  /// Returns the north-west corner of a cube.
  [[nodiscard]] PositionMm cube_origin(std::uint32_t cube) const;
  [[nodiscard]] PositionMm cube_center(std::uint32_t cube) const;
  /// Pitch of the cube grid: distance between adjacent cubes of a row (x) and of a column (y).
  [[nodiscard]] double pitch_x_mm() const { return spec_.cube.w_mm + gap(); }
  [[nodiscard]] double pitch_y_mm() const { return spec_.cube.h_mm + gap(); }

  /// Number of cubes along a side, and the id of cube `index` on it, counted from west or north.
  [[nodiscard]] std::uint32_t cubes_along(Side side) const;
  [[nodiscard]] std::uint32_t cube_along(Side side, std::uint32_t index) const;

  /// Returns a point of IO chiplet `chiplet`: `along` mm on its side from the west or north end of
  /// the grid, `outward` mm from the chiplet's edge that faces the cubes.
  [[nodiscard]] PositionMm io_point(std::size_t chiplet, double along, double outward) const;
  [[nodiscard]] double side_length_mm(Side side) const;
  /// Returns the middle of cube `index` along a side, in mm from the west or north end of the grid.
  [[nodiscard]] double cube_middle_along(Side side, std::uint32_t index) const;

  /// Depth of an IO chiplet, away from the cubes.
  static constexpr double kIoDepthMm = 12.0;

 private:
  [[nodiscard]] double gap() const { return spec_.sip.ucie_mesh_distance_mm; }
  [[nodiscard]] double grid_width() const;
  [[nodiscard]] double grid_height() const;
  [[nodiscard]] double io_extent(Side side) const;
  /// Returns the distance of a chiplet's facing edge from the cubes. Chiplets on the same side are
  /// stacked outwards.
  [[nodiscard]] double io_offset(std::size_t chiplet) const;

  const TopologySpec& spec_;
  double width_;
  double height_;
};

/// Routing weight of each link of a network. The length of its routes decides nothing.
inline constexpr std::int64_t kNocLinkWeightNm = 1;

/// Returns the bandwidth of a link of a MAZE or another network in 10^9 bytes/s: one flit per
/// clock.
template <typename Network>
[[nodiscard]] double link_bw_gbs(const Network& network) {
  return network.flit_bits / 8.0 / network.clock_ns;
}

}  // namespace kernbench::topology

#pragma once

#include <cstdint>

#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

/// Where things stand in a SIP, in mm from its north-west corner: the cubes in a grid, the IO
/// chiplets beside the side that they serve.
class SipFrame {
 public:
  explicit SipFrame(const TopologySpec& spec);

  [[nodiscard]] double width_mm() const { return width_; }
  [[nodiscard]] double height_mm() const { return height_; }
  /// North-west corner of a cube.
  [[nodiscard]] PositionMm cube_origin(std::uint32_t cube) const;
  [[nodiscard]] PositionMm cube_center(std::uint32_t cube) const;
  /// Distance of the same points of two neighbouring cubes in a row, in a column.
  [[nodiscard]] double pitch_x_mm() const { return spec_.cube.w_mm + gap(); }
  [[nodiscard]] double pitch_y_mm() const { return spec_.cube.h_mm + gap(); }

  /// How many cubes stand along a side, and which is number `index` from the west or the north.
  [[nodiscard]] std::uint32_t cubes_along(Side side) const;
  [[nodiscard]] std::uint32_t cube_along(Side side, std::uint32_t index) const;

  /// A point of IO chiplet number `chiplet`: `along` its side from the grid's west or north end,
  /// `outward` from the chiplet's edge that faces the cubes.
  [[nodiscard]] PositionMm io_point(std::size_t chiplet, double along, double outward) const;
  [[nodiscard]] double side_length_mm(Side side) const;
  /// Middle of cube number `index` of the side, from the grid's west or north end.
  [[nodiscard]] double cube_middle_along(Side side, std::uint32_t index) const;

  /// Extent of an IO chiplet outwards.
  static constexpr double kIoDepthMm = 12.0;

 private:
  [[nodiscard]] double gap() const { return spec_.sip.ucie_mesh_distance_mm; }
  [[nodiscard]] double grid_width() const;
  [[nodiscard]] double grid_height() const;
  [[nodiscard]] double io_extent(Side side) const;
  /// Distance of a chiplet's facing edge from the cubes: those of one side stand one behind the
  /// other.
  [[nodiscard]] double io_offset(std::size_t chiplet) const;

  const TopologySpec& spec_;
  double width_;
  double height_;
};

}  // namespace kernbench::topology

// SPDX-License-Identifier: Apache-2.0
#include "topology/graph/sip_frame.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

namespace {

bool horizontal(Side side) {
  return side == Side::North || side == Side::South;
}

}  // namespace

SipFrame::SipFrame(const TopologySpec& spec)
    : spec_(spec),
      width_(grid_width() + io_extent(Side::West) + io_extent(Side::East)),
      height_(grid_height() + io_extent(Side::North) + io_extent(Side::South)) {}

double SipFrame::grid_width() const {
  return spec_.sip.cube_mesh_w * pitch_x_mm() - gap();
}
double SipFrame::grid_height() const {
  return spec_.sip.cube_mesh_h * pitch_y_mm() - gap();
}

PositionMm SipFrame::cube_origin(std::uint32_t cube) const {
  const std::uint32_t w = spec_.sip.cube_mesh_w;
  const std::uint32_t row = cube / w;
  return {io_extent(Side::West) + (cube % w) * pitch_x_mm(),
          io_extent(Side::North) + row * pitch_y_mm()};
}

PositionMm SipFrame::cube_center(std::uint32_t cube) const {
  const PositionMm origin = cube_origin(cube);
  return {origin.x + spec_.cube.w_mm / 2, origin.y + spec_.cube.h_mm / 2};
}

std::uint32_t SipFrame::cubes_along(Side side) const {
  return horizontal(side) ? spec_.sip.cube_mesh_w : spec_.sip.cube_mesh_h;
}

std::uint32_t SipFrame::cube_along(Side side, std::uint32_t index) const {
  const std::uint32_t w = spec_.sip.cube_mesh_w;
  const std::uint32_t h = spec_.sip.cube_mesh_h;
  switch (side) {
    case Side::North:
      return index;
    case Side::South:
      return (h - 1) * w + index;
    case Side::West:
      return index * w;
    case Side::East:
      return index * w + w - 1;
  }
  return 0;
}

double SipFrame::side_length_mm(Side side) const {
  return horizontal(side) ? grid_width() : grid_height();
}

double SipFrame::cube_middle_along(Side side, std::uint32_t index) const {
  return horizontal(side) ? index * pitch_x_mm() + spec_.cube.w_mm / 2
                          : index * pitch_y_mm() + spec_.cube.h_mm / 2;
}

double SipFrame::io_extent(Side side) const {
  double extent = 0;
  for (const IoChipletSpec& io : spec_.sip.io_chiplets) {
    if (io.side == side) extent += io.io_ucie_to_cube.distance_mm + kIoDepthMm;
  }
  return extent;
}

double SipFrame::io_offset(std::size_t chiplet) const {
  const IoChipletSpec& own = spec_.sip.io_chiplets[chiplet];
  double offset = own.io_ucie_to_cube.distance_mm;
  for (std::size_t i = 0; i < chiplet; ++i) {
    const IoChipletSpec& io = spec_.sip.io_chiplets[i];
    if (io.side == own.side) offset += io.io_ucie_to_cube.distance_mm + kIoDepthMm;
  }
  return offset;
}

PositionMm SipFrame::io_point(std::size_t chiplet, double along, double outward) const {
  const double away = io_offset(chiplet) + outward;
  const PositionMm grid{io_extent(Side::West), io_extent(Side::North)};
  switch (spec_.sip.io_chiplets[chiplet].side) {
    case Side::North:
      return {grid.x + along, grid.y - away};
    case Side::South:
      return {grid.x + along, grid.y + grid_height() + away};
    case Side::West:
      return {grid.x - away, grid.y + along};
    case Side::East:
      return {grid.x + grid_width() + away, grid.y + along};
  }
  return {};
}

}  // namespace kernbench::topology

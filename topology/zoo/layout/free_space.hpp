// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "topology/zoo/layout/plot.hpp"

namespace kernbench::topology::zoo {

/// Returns sixteen directions of length 1, clockwise from the right.
[[nodiscard]] const std::array<Point, 16>& sixteen_directions();

[[nodiscard]] double length(Point vector);
/// Returns the vector scaled to length 1; upwards for the zero vector.
[[nodiscard]] Point direction(Point vector);

/// Returns points along a channel as drawn, both ends included.
[[nodiscard]] std::vector<Point> drawn_points(const Plot& plot, const Channel& channel);

/// The occupied space of a picture, for queries of the room around a point.
class FreeSpace {
 public:
  /// Objects farther away than `reach` are ignored.
  explicit FreeSpace(double reach) : reach_(reach) {}

  void add_disc(Point centre, double radius) { add_line(centre, centre, radius); }
  /// Adds a line that is twice its `radius` thick; `radius` is less than half the reach.
  void add_line(Point from, Point to, double radius);
  void add_channel(const Plot& plot, const Channel& channel);

  /// Returns the distance to the nearest edge of any object: negative inside, at most `reach`.
  [[nodiscard]] double clearance(Point at) const;

 private:
  struct Piece {
    Point from;
    Point to;
    double radius = 0;
  };
  using Cell = std::pair<long, long>;
  [[nodiscard]] Cell cell_of(Point at) const;

  double reach_;
  std::map<Cell, std::vector<Piece>> cells_;  ///< by middle of a piece of length reach_ or less
};

/// Returns the distance of a point from a straight line between two points.
[[nodiscard]] double distance_to_line(Point at, Point from, Point to);

/// Returns one of sixteen points at `distance` around `centre`: of those with `room` around them
/// the nearest to the direction `wanted`, or the roomiest if none has that much.
[[nodiscard]] Point free_point(const FreeSpace& space, Point centre, double distance, Point wanted,
                               double room);

}  // namespace kernbench::topology::zoo

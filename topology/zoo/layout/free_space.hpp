#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "topology/zoo/layout/plot.hpp"

namespace kernbench::topology::zoo {

/// Sixteen directions of length 1, clockwise from the right.
[[nodiscard]] const std::array<Point, 16>& sixteen_directions();

[[nodiscard]] double length(Point vector);
/// The vector at length 1; straight up for no vector at all.
[[nodiscard]] Point direction(Point vector);

/// Points along a channel as it is drawn, its two ends included.
[[nodiscard]] std::vector<Point> drawn_points(const Plot& plot, const Channel& channel);

/// What a picture already holds, asked for the room around a point.
class FreeSpace {
 public:
  /// Nothing is seen farther than `reach`.
  explicit FreeSpace(double reach) : reach_(reach) {}

  void add_disc(Point centre, double radius) { add_line(centre, centre, radius); }
  /// A line as thick as twice its `radius` (less than half the reach).
  void add_line(Point from, Point to, double radius);
  void add_channel(const Plot& plot, const Channel& channel);

  /// Distance to the nearest edge of anything, negative inside, at most `reach`.
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
  std::map<Cell, std::vector<Piece>> cells_;  ///< by the middle of a piece no longer than reach_
};

/// Distance of a point from a straight line between two points.
[[nodiscard]] double distance_to_line(Point at, Point from, Point to);

/// Of the sixteen points at `distance` around `centre` the one nearest to the direction `wanted`
/// among those with `room` around them, or where none has that much, the roomiest.
[[nodiscard]] Point free_point(const FreeSpace& space, Point centre, double distance, Point wanted,
                               double room);

}  // namespace kernbench::topology::zoo

// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/layout/free_space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kernbench::topology::zoo {

const std::array<Point, 16>& sixteen_directions() {
  constexpr double kC = 0.92387953251128674;  // cosine and sine of 22.5 degrees
  constexpr double kS = 0.38268343236508977;
  constexpr double kD = 0.70710678118654752;  // cosine and sine of 45 degrees
  static constexpr std::array<Point, 16> kDirections = {{{1, 0},
                                                         {kC, kS},
                                                         {kD, kD},
                                                         {kS, kC},
                                                         {0, 1},
                                                         {-kS, kC},
                                                         {-kD, kD},
                                                         {-kC, kS},
                                                         {-1, 0},
                                                         {-kC, -kS},
                                                         {-kD, -kD},
                                                         {-kS, -kC},
                                                         {0, -1},
                                                         {kS, -kC},
                                                         {kD, -kD},
                                                         {kC, -kS}}};
  return kDirections;
}

double length(Point vector) {
  return std::sqrt(vector.x * vector.x + vector.y * vector.y);
}

Point direction(Point vector) {
  const double size = length(vector);
  return size < 1e-9 ? Point{0, -1} : vector * (1.0 / size);
}

std::vector<Point> drawn_points(const Plot& plot, const Channel& channel) {
  const Point from = plot.nodes[channel.src].at;
  const Point to = plot.nodes[channel.dst].at;
  const auto bent = plot.bends.find(channel);
  if (bent == plot.bends.end()) return {from, to};
  constexpr int kSteps = 12;
  std::vector<Point> points;
  for (int i = 0; i <= kSteps; ++i) {
    const double t = static_cast<double>(i) / kSteps;
    points.push_back(from * ((1 - t) * (1 - t)) + bent->second * (2 * t * (1 - t)) + to * (t * t));
  }
  return points;
}

double distance_to_line(Point at, Point from, Point to) {
  const Point along = to - from;
  const double square = along.x * along.x + along.y * along.y;
  if (square == 0) return length(at - from);
  const Point offset = at - from;
  const double t = std::clamp((offset.x * along.x + offset.y * along.y) / square, 0.0, 1.0);
  return length(offset - along * t);
}

FreeSpace::Cell FreeSpace::cell_of(Point at) const {
  // Pieces are at most reach_ long. If one is within reach_ of a point, its middle is in the
  // point's cell or an adjacent one.
  const double side = 2 * reach_;
  return {std::lround(std::floor(at.x / side)), std::lround(std::floor(at.y / side))};
}

void FreeSpace::add_line(Point from, Point to, double radius) {
  const int pieces = std::max(1, static_cast<int>(std::ceil(length(to - from) / reach_)));
  for (int i = 0; i < pieces; ++i) {
    const Point a = from + (to - from) * (static_cast<double>(i) / pieces);
    const Point b = from + (to - from) * (static_cast<double>(i + 1) / pieces);
    cells_[cell_of((a + b) * 0.5)].push_back({a, b, radius});
  }
}

void FreeSpace::add_channel(const Plot& plot, const Channel& channel) {
  const std::vector<Point> points = drawn_points(plot, channel);
  for (std::size_t i = 1; i < points.size(); ++i) add_line(points[i - 1], points[i], 0);
}

double FreeSpace::clearance(Point at) const {
  double nearest = reach_;
  const Cell centre = cell_of(at);
  for (long dx = -1; dx <= 1; ++dx) {
    for (long dy = -1; dy <= 1; ++dy) {
      const auto cell = cells_.find({centre.first + dx, centre.second + dy});
      if (cell == cells_.end()) continue;
      for (const Piece& piece : cell->second) {
        nearest = std::min(nearest, distance_to_line(at, piece.from, piece.to) - piece.radius);
      }
    }
  }
  return nearest;
}

Point free_point(const FreeSpace& space, Point centre, double distance, Point wanted, double room) {
  const Point towards = direction(wanted);
  Point best = centre;
  // Compare whole thousandths, so that rounding does not decide between equals.
  long best_room = std::numeric_limits<long>::min();
  long best_deviation = 0;
  for (const Point& way : sixteen_directions()) {
    const Point at = centre + way * distance;
    const long its_room = std::lround(1000 * std::min(space.clearance(at), room));
    const long deviation = -std::lround(1000 * (way.x * towards.x + way.y * towards.y));
    if (its_room > best_room || (its_room == best_room && deviation < best_deviation)) {
      best = at;
      best_room = its_room;
      best_deviation = deviation;
    }
  }
  return best;
}

}  // namespace kernbench::topology::zoo

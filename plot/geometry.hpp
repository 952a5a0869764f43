// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

namespace kernbench::plot {

// Plane geometry of the drawings; units are CSS pixels, y grows downwards.

struct PointPx {
  double x = 0;
  double y = 0;
};

struct SizePx {
  double w = 0;
  double h = 0;
};

struct BoxPx {
  double x = 0;  ///< left
  double y = 0;  ///< top
  double w = 0;
  double h = 0;

  [[nodiscard]] double right() const { return x + w; }
  [[nodiscard]] double bottom() const { return y + h; }
  [[nodiscard]] PointPx center() const { return {x + w / 2, y + h / 2}; }
  [[nodiscard]] bool contains(PointPx p) const {
    return p.x > x && p.x < right() && p.y > y && p.y < bottom();
  }
};

[[nodiscard]] inline BoxPx box_around(PointPx center, SizePx size) {
  return {center.x - size.w / 2, center.y - size.h / 2, size.w, size.h};
}

/// Returns the box with `margin` more on each side.
[[nodiscard]] inline BoxPx grown(const BoxPx& box, double margin) {
  return {box.x - margin, box.y - margin, box.w + 2 * margin, box.h + 2 * margin};
}

[[nodiscard]] inline bool overlap(const BoxPx& a, const BoxPx& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

/// Returns the smallest box that holds both.
[[nodiscard]] inline BoxPx united(const BoxPx& a, const BoxPx& b) {
  const double x = std::min(a.x, b.x);
  const double y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

[[nodiscard]] inline double distance(PointPx a, PointPx b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

/// Returns the point `part` of the way from `a` to `b`.
[[nodiscard]] inline PointPx between(PointPx a, PointPx b, double part) {
  return {a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part};
}

/// Returns true if a part of the segment lies inside the box.
[[nodiscard]] bool crosses(PointPx a, PointPx b, const BoxPx& box);

/// Returns the point where the segment from `inside` (a point of the box) to `target` leaves the
/// box, or `target` if it lies inside too.
[[nodiscard]] PointPx leave(const BoxPx& box, PointPx inside, PointPx target);

}  // namespace kernbench::plot

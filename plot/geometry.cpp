// SPDX-License-Identifier: Apache-2.0
#include "plot/geometry.hpp"

namespace kernbench::plot {

namespace {

/// Narrows [from, to] to the part of a + t * d that lies between `low` and `high`.
void clip_axis(double a, double d, double low, double high, double& from, double& to) {
  if (d == 0) {
    if (a <= low || a >= high) to = from - 1;  // parallel and outside: an empty range
    return;
  }
  const double t1 = (low - a) / d;
  const double t2 = (high - a) / d;
  from = std::max(from, std::min(t1, t2));
  to = std::min(to, std::max(t1, t2));
}

}  // namespace

bool crosses(PointPx a, PointPx b, const BoxPx& box) {
  double from = 0;
  double to = 1;
  clip_axis(a.x, b.x - a.x, box.x, box.right(), from, to);
  clip_axis(a.y, b.y - a.y, box.y, box.bottom(), from, to);
  return from < to;
}

PointPx leave(const BoxPx& box, PointPx inside, PointPx target) {
  double from = 0;
  double to = 1;
  clip_axis(inside.x, target.x - inside.x, box.x, box.right(), from, to);
  clip_axis(inside.y, target.y - inside.y, box.y, box.bottom(), from, to);
  return between(inside, target, std::max(to, 0.0));
}

}  // namespace kernbench::plot

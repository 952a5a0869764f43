// SPDX-License-Identifier: Apache-2.0
#include "model/serving/polyline.hpp"

#include <cstddef>

namespace kernbench::model::serving {

using common::SimTime;

namespace {

__extension__ using WideSigned = __int128;

}  // namespace

void Polyline::add(std::int64_t x, SimTime time) {
  if (!x_.empty() && x <= x_.back()) return;
  x_.push_back(x);
  ps_.push_back(time.ps());
}

SimTime Polyline::at(std::int64_t x) const {
  if (x_.size() == 1) return SimTime::from_ps(ps_.front());
  std::size_t end = 1;
  while (end + 1 < x_.size() && x_[end] < x) ++end;
  const std::int64_t from = x_[end - 1];
  const WideSigned rise = WideSigned{ps_[end] - ps_[end - 1]} * (x - from);
  return SimTime::from_ps(ps_[end - 1] + static_cast<std::int64_t>(rise / (x_[end] - from)));
}

}  // namespace kernbench::model::serving

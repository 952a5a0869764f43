// SPDX-License-Identifier: Apache-2.0
#include "plot/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace kernbench::plot {

namespace {

constexpr double kPad = 1.25;          // room beyond the data of a logarithmic axis, as a factor
constexpr double kMostTicks = 6;       // of a linear axis, not counting 0
constexpr double kRoom = 0.06;         // beyond the data of a fitted axis, as a share of its range
constexpr double kNearZero = 0.25;     // a fitted axis begins at 0 below this share of its end
constexpr double kManyDecades = 2000;  // wider ranges have ticks at powers of ten only

/// Returns the smallest step of 1, 2 or 5 times a power of ten that gives few ticks.
double step_of(double range) {
  const double decade = std::pow(10.0, std::floor(std::log10(range)));
  double step = 2 * decade;
  for (const double part : {1.0, 0.5, 0.2, 0.1}) {
    if (range / (decade * part) < kMostTicks + 0.0001) step = decade * part;
  }
  return step;
}

}  // namespace

void Range::add(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

void Range::add(const Range& other) {
  low = std::min(low, other.low);
  high = std::max(high, other.high);
}

Axis::Axis(const AxisSpec& spec, const Range& data)
    : label_(spec.label), scale_(spec.scale), low_(spec.low), high_(spec.high), ticks_(spec.ticks) {
  if (data.low < 0 && scale_ != AxisScale::Fitted)
    throw std::invalid_argument("a chart cannot show negative values");
  if (scale_ == AxisScale::Fitted) {
    fit(data);
  } else if (scale_ == AxisScale::Linear) {
    low_ = 0;
    if (high_ == 0) high_ = data.high > 0 ? data.high : 1;
    if (ticks_.empty()) choose_linear();
  } else {
    if (data.empty() || data.low == 0) {
      throw std::invalid_argument("a logarithmic axis needs values above 0");
    }
    if (low_ == 0) low_ = data.low / kPad;
    if (high_ == 0) high_ = data.high * kPad;
    if (ticks_.empty()) choose_logarithmic();
  }
  for (Tick& tick : ticks_) {
    if (tick.text.empty()) tick.text = fmt::format("{:.10g}", tick.value);
  }
}

double Axis::share(double value) const {
  return scale_ == AxisScale::Log ? std::log(value / low_) / std::log(high_ / low_)
                                  : (value - low_) / (high_ - low_);
}

void Axis::choose_linear() {
  const double step = step_of(high_);
  const auto steps = static_cast<int>(std::ceil(high_ / step - 1e-9));
  for (int i = 0; i <= steps; ++i) ticks_.push_back({step * i});
  high_ = ticks_.back().value;
}

void Axis::fit(Range data) {
  if (data.empty()) data = {0, 1};
  // Equal values stand in the middle.
  if (data.high - data.low <= 1e-9 * std::abs(data.high)) {
    const double beside = data.high == 0 ? 1 : std::abs(data.high) / 10;
    data = {data.low - beside, data.high + beside};
  }
  if (!ticks_.empty()) {
    const double room = kRoom * (data.high - data.low);
    low_ = data.low - room;
    high_ = data.high + room;
    return;
  }
  if (data.low > 0 && data.low < kNearZero * data.high) data.low = 0;
  const double step = step_of(data.high - data.low);
  const double last = std::ceil(data.high / step - 1e-9);
  for (double i = std::floor(data.low / step + 1e-9); i <= last; ++i) ticks_.push_back({step * i});
  low_ = ticks_.front().value;
  high_ = ticks_.back().value;
}

void Axis::choose_logarithmic() {
  const bool decades_only = high_ / low_ >= kManyDecades;
  const auto first = static_cast<int>(std::floor(std::log10(low_)));
  const auto last = static_cast<int>(std::floor(std::log10(high_)));
  for (int exponent = first; exponent <= last; ++exponent) {
    for (const double part : {1.0, 2.0, 5.0}) {
      const double tick = part * std::pow(10.0, exponent);
      if (part > 1 && decades_only) continue;
      if (tick >= low_ && tick <= high_) ticks_.push_back({tick});
    }
  }
}

}  // namespace kernbench::plot

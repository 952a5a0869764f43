// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace kernbench::plot {

enum class AxisScale { Linear, Log, Fitted };

/// A labelled value of an axis. An empty text stands for the number itself.
struct Tick {
  double value = 0;
  std::string text{};

  friend bool operator==(const Tick&, const Tick&) = default;
};

/// Describes an axis. Ends that are 0 are chosen from the data: a linear axis starts at 0 and ends
/// at a tick; a logarithmic one leaves some room at both ends; a fitted one is linear, takes
/// negative values, and begins and ends at ticks around the data, or with some room around the data
/// if the ticks are given.
struct AxisSpec {
  std::string label;
  AxisScale scale = AxisScale::Linear;
  std::vector<Tick> ticks{};  ///< chosen from the range if empty
  double low = 0;             ///< ignored by linear and fitted axes
  double high = 0;            ///< ignored by fitted axes
};

/// The smallest and the largest value of some data.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value);
  void add(const Range& other);
  [[nodiscard]] bool empty() const { return high < low; }
  [[nodiscard]] double width() const { return high - low; }
};

/// An axis with its ends and ticks resolved.
class Axis {
 public:
  /// Throws std::invalid_argument for negative data unless the axis is fitted, and for a
  /// logarithmic axis without data or with a value of 0.
  Axis(const AxisSpec& spec, const Range& data);

  /// Returns 0 for the low end, 1 for the high end.
  [[nodiscard]] double share(double value) const;
  [[nodiscard]] const std::vector<Tick>& ticks() const { return ticks_; }
  [[nodiscard]] const std::string& label() const { return label_; }

 private:
  void choose_linear();
  void choose_logarithmic();
  void fit(Range data);

  std::string label_;
  AxisScale scale_;
  double low_;
  double high_;
  std::vector<Tick> ticks_;
};

}  // namespace kernbench::plot

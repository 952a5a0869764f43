// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "farm/store.hpp"
#include "farm/summary.hpp"
#include "plot/axis.hpp"

namespace kernbench::farm {

/// A value of each row on one axis; absent where the row has none.
struct Column {
  Target target;  ///< a parameter has only a name
  std::vector<std::optional<double>> values{};
  std::vector<plot::Tick> ticks{};  ///< places and texts of values that are not numbers
  bool is_log = false;              ///< the plan says so
};

/// Returns a target of the passed rows.
[[nodiscard]] Column target_column(const Table& table, std::size_t target);
/// Returns the parameter of an effect. Its values are numbered from 0 on if some are not numbers.
[[nodiscard]] Column parameter_column(const Table& table, const Effect& effect);

struct ChartAxis {
  plot::AxisSpec spec;
  double unit = 1;  ///< the axis shows a value divided by this
};

/// Returns the axis of a column whose values are in a range. Its label needs `width` px at most.
[[nodiscard]] ChartAxis axis_of(const Column& column, const plot::Range& range, double width);

/// Shortens the texts of ticks that share an axis of `width` px.
void shorten_ticks(plot::AxisSpec& axis, double width);

/// Returns `text` with an ellipsis in its middle if it needs more than `width` px.
[[nodiscard]] std::string shortened(const std::string& text, double width);

}  // namespace kernbench::farm

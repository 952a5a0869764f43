// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "farm/store.hpp"
#include "farm/summary.hpp"

namespace kernbench::farm {

/// A picture of the passed rows of a sweep.
struct Chart {
  std::string name;        ///< "front", or "TARGET-over-PARAMETER"; letters, digits and `._-`
  std::size_t target = 0;  ///< place of the target on the y axis
  std::string svg;
};

/// The purpose of a chart: a part of a report page, or a file of its own with its style.
enum class ChartUse { Page, File };

/// Returns the rules that charts need on a report page.
[[nodiscard]] std::string sweep_chart_style();

/// Returns the charts of a table: the first two targets with a direction, if there are two, with
/// the points of the front numbered; then for each target that is not constant a heat map of the
/// two parameters with the largest main effects, its means over the first one with a line for each
/// value of the second, and its points and means over each parameter with more than one value. Rows
/// whose target is not a number are left out, and charts without rows. A chart has at most about
/// 1,000 points, evenly chosen, and the whole front.
[[nodiscard]] std::vector<Chart> charts_of(const Table& table,
                                           const std::vector<std::size_t>& front,
                                           const std::vector<Effect>& effects, ChartUse use);

}  // namespace kernbench::farm

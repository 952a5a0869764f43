// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "farm/store.hpp"
#include "farm/summary.hpp"
#include "plot/style.hpp"

namespace kernbench::farm {

/// Returns the classes of the cells of a heat map and their colours, from the least value on.
[[nodiscard]] std::vector<plot::SeriesColour> heat_colours();

/// Returns a picture of the mean of a target for each pair of values of two parameters, whose main
/// effects are given; the cell of `best`, a row, has a frame. `style` is its style sheet. Returns
/// "" if there are too many values for cells that can be read, or no row.
[[nodiscard]] std::string heat_map(const Table& table, const Effect& across, const Effect& along,
                                   std::optional<std::size_t> best, const std::string& style);

}  // namespace kernbench::farm

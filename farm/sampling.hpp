// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "farm/plan.hpp"

namespace kernbench::farm {

/// A range of numbers; both ends are included.
struct NumberSpan {
  double from = 0;
  double to = 0;
  bool log = false;    ///< equal ratios instead of equal differences
  bool whole = false;  ///< values are rounded to whole numbers
};

/// A parameter of a plan before points are made: its values, or a range without steps.
struct Parameter {
  std::string name;
  std::vector<Value> values{};
  std::optional<NumberSpan> span{};  ///< set if `values` is empty
};

/// Returns `number` as a plan writes it: at most 12 significant digits.
[[nodiscard]] Value value_of(double number);

/// Returns the values from, from + step, ... up to `to`.
[[nodiscard]] std::vector<Value> stepped_values(const NumberSpan& span, double step);
/// Returns `count` values from one end to the other. Whole numbers that repeat are left out.
[[nodiscard]] std::vector<Value> counted_values(const NumberSpan& span, std::size_t count);
/// Returns the value at `share`, 0 to 1, of a range.
[[nodiscard]] Value value_at(const NumberSpan& span, double share);

/// Returns the number of points of the grid, at most `limit` + 1.
[[nodiscard]] std::size_t grid_size(const std::vector<Parameter>& parameters, std::size_t limit);
/// Returns all combinations of the values. The last parameter changes fastest.
[[nodiscard]] std::vector<PlanPoint> grid(const std::vector<Parameter>& parameters);

/// Draws points at random, each parameter from a random stream of its own. Stops at `count`
/// different points that `accepted` returns true for, or after 1000 draws for each point.
[[nodiscard]] std::vector<PlanPoint> random_sample(
    const std::vector<Parameter>& parameters, std::size_t count, std::uint64_t seed,
    const std::function<bool(const PlanPoint&)>& accepted);

/// Draws a Latin hypercube: each parameter's range is cut into equal parts, as many as there are
/// points, and each part has one point. If points repeat or `accepted` refuses some, there are more
/// parts, at most 64 for each point, so that `count` points are left.
[[nodiscard]] std::vector<PlanPoint> latin_hypercube(
    const std::vector<Parameter>& parameters, std::size_t count, std::uint64_t seed,
    const std::function<bool(const PlanPoint&)>& accepted);

/// Returns the numbers 0 to `count` - 1 in an order whose beginning, however long, is spread over
/// all of them: multiples of the golden section. Each of the first tenth of a grid's points then
/// stands for a part of the grid, so that their times foretell those of the rest.
[[nodiscard]] std::vector<std::size_t> spread_order(std::size_t count);

}  // namespace kernbench::farm

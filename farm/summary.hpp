// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/outcome.hpp"
#include "farm/store.hpp"

namespace kernbench::farm {

/// Returns the value of a target as a number; nothing if it is not one.
[[nodiscard]] std::optional<double> number_of(const nlohmann::json& value);

/// Returns Pass if all planned points have a row that passed; of a search, if all rows have.
/// Returns Vacuous without any row, if no row satisfies the constraints, or if a target with a
/// direction is a number in none, else Mismatch.
[[nodiscard]] common::Outcome outcome_of(const Table& table);

/// Returns how many passed rows have which grade, such as "1 estimate, 3 exact"; empty if none has
/// one.
[[nodiscard]] std::string grades_text(const Table& table);

/// Returns the places of the rows on the Pareto front, in the order of the table: passed rows that
/// satisfy the constraints, whose targets with a direction are all numbers, and that no other such
/// row dominates. A row dominates another one if none of these targets is worse and one is better.
/// Empty if no target has a direction.
[[nodiscard]] std::vector<std::size_t> pareto_front(const Table& table);

/// Returns the best row for a target with a direction, by the other targets if there are several;
/// nothing if no passed row satisfies the constraints.
[[nodiscard]] std::optional<std::size_t> best_row(const Table& table, std::size_t target);

/// Returns the answer of a sweep, one sentence for each target with a direction, of a search for
/// the first one: "least time: 8.626 us with topology.pe.clock_ghz=2; cost 12 $". Says it if no
/// point satisfies the constraints. Returns nothing if no target has a direction.
[[nodiscard]] std::vector<std::string> answers_of(const Table& table);

/// Returns whether there are several passed rows, and a target has the same value in all.
[[nodiscard]] bool is_constant(const Table& table, std::size_t target);

/// The main effect of a parameter on a target.
struct Effect {
  std::size_t parameter = 0;          ///< place in the table
  std::size_t target = 0;             ///< place in the table
  std::vector<std::string> values{};  ///< values of the parameter, in the order of the table
  std::vector<double> places{};       ///< the values as numbers; empty if some are none
  std::vector<double> means{};        ///< mean of the target over the rows with each value
  double range = 0;                   ///< largest mean minus smallest mean
};

/// Returns the main effects of all parameters with more than one value on all targets, over passed
/// rows whose target is a number; target by target, the largest range first. More than 20 values
/// that are numbers are joined to ten groups of neighbours, such as "1 to 2.5", whose place is the
/// mean of the parameter.
[[nodiscard]] std::vector<Effect> main_effects(const Table& table);

}  // namespace kernbench::farm

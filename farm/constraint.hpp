// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "farm/expression.hpp"
#include "farm/plan.hpp"

namespace kernbench::farm {

/// A comparison of parameters and targets that the points of a plan have to satisfy, such as
/// `bench.m * bench.n <= 4096` or `first_token < 200 ms`.
class Constraint {
 public:
  /// Parses `text`. Units of time behind numbers are those of the targets in it. Throws
  /// std::invalid_argument.
  Constraint(const std::string& text, const std::vector<std::string>& parameters,
             const std::vector<Target>& targets);

  /// Returns whether it is about parameters alone, so that it holds or not before a point runs.
  [[nodiscard]] bool is_of_parameters() const { return is_of_parameters_; }
  /// Returns whether the point satisfies it; false if a target in it is not a number.
  [[nodiscard]] bool holds(const PlanPoint& point,
                           const std::vector<nlohmann::json>& targets = {}) const;

 private:
  Expression comparison_;
  std::vector<std::size_t>
      places_;  ///< places of the names, among the parameters and then the targets
  bool is_of_parameters_ = true;
};

/// Returns the constraints of a plan that has already been checked.
[[nodiscard]] std::vector<Constraint> constraints_of(const std::vector<std::string>& texts,
                                                     const std::vector<std::string>& parameters,
                                                     const std::vector<Target>& targets);

}  // namespace kernbench::farm

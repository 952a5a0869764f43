// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "farm/plan.hpp"

namespace kernbench::farm {

/// A comparison between parameters, such as `bench.m * bench.n <= 4096`.
class Constraint {
 public:
  /// Parses `text`: two products, each of parameters and numbers, and one of < <= > >= == !=
  /// between them. Names and operators are separated by blanks. Throws std::invalid_argument.
  Constraint(const std::string& text, const std::vector<std::string>& parameters);

  /// Returns true if the values of a point satisfy the comparison. `==` and `!=` compare texts that
  /// are not numbers as texts; every other comparison with such a text is false.
  [[nodiscard]] bool holds(const PlanPoint& point) const;

 private:
  using Factor = std::variant<std::size_t, Value>;  ///< index of a parameter, or a constant
  using Product = std::vector<Factor>;

  static Value value_of_product(const Product& product, const PlanPoint& point);

  Product left_;
  std::string comparison_;
  Product right_;
};

}  // namespace kernbench::farm

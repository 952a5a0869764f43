// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "farm/plan.hpp"

namespace kernbench::farm {

/// An expression over named values, such as `3 * topology.sips + 0.02 * gb` or
/// `bench.m * bench.n <= 4096`: numbers, names, + - * / ^ ( ), comparisons, && and ||, and the
/// functions min, max, abs, sqrt, exp, ln, log2 and log10. Names have letters, digits, '_', '.' and
/// brackets; those that are known may have other characters too.
class Expression {
 public:
  /// Returns the factor of a word behind a number, such as "ms"; nothing if it is not a unit.
  using Unit = std::function<std::optional<double>(const std::string& word)>;

  /// Parses `text`, in which `known` are names. Throws std::invalid_argument.
  Expression(const std::string& text, const std::vector<std::string>& known, const Unit& unit = {});
  Expression(Expression&& other) noexcept;
  Expression& operator=(Expression&& other) noexcept;
  ~Expression();

  /// Returns the names, in the order in which they first occur.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Returns whether the value is that of a comparison: 1 if it holds, else 0.
  [[nodiscard]] bool is_comparison() const { return is_comparison_; }
  /// Returns the value with these values of the names. Returns nothing if it is not a finite
  /// number, and with a text that is not a number; only a comparison by == or != of nothing but two
  /// names, or of a name and a word, takes such texts.
  [[nodiscard]] std::optional<double> value(const std::vector<Value>& values) const;

 private:
  struct Code;

  void read_equality(const std::string& text, const std::vector<std::string>& known);

  std::vector<std::string> names_;
  bool is_comparison_ = false;
  std::unique_ptr<Code> code_;  ///< null: names_[0] is compared with names_[1] or word_
  Value word_;
  bool wants_equal_ = true;
};

}  // namespace kernbench::farm

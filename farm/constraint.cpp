// SPDX-License-Identifier: Apache-2.0
#include "farm/constraint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "common/numbers.hpp"
#include "common/text_distance.hpp"

namespace kernbench::farm {
namespace {

constexpr std::array<std::string_view, 6> kComparisons = {"<", "<=", ">", ">=", "==", "!="};

bool is_comparison(const std::string& word) {
  return std::find(kComparisons.begin(), kComparisons.end(), word) != kComparisons.end();
}

}  // namespace

Constraint::Constraint(const std::string& text, const std::vector<std::string>& parameters) {
  const std::vector<std::string_view> names(parameters.begin(), parameters.end());
  std::istringstream words(text);
  Product* side = &left_;
  bool expects_factor = true;
  const auto malformed = [&text] {
    return std::invalid_argument(fmt::format(
        "'{}' is not a comparison of two products, such as 'bench.m * bench.n <= 4096'", text));
  };
  for (std::string word; words >> word; expects_factor = !expects_factor) {
    if (!expects_factor) {
      if (word == "*") continue;
      if (!is_comparison(word) || !comparison_.empty()) throw malformed();
      comparison_ = word;
      side = &right_;
      continue;
    }
    const auto name = std::find(parameters.begin(), parameters.end(), word);
    if (name != parameters.end()) {
      side->emplace_back(static_cast<std::size_t>(name - parameters.begin()));
    } else if (const auto number = common::parse_double(word)) {
      side->emplace_back(Value{word, number});
    } else if (side == &right_ && (comparison_ == "==" || comparison_ == "!=") &&
               word.find('.') == std::string::npos) {
      side->emplace_back(Value{word});
    } else if (is_comparison(word) || word == "*") {
      throw malformed();
    } else {
      throw std::invalid_argument(fmt::format("'{}' is not a parameter of the plan{}", word,
                                              common::did_you_mean(word, names)));
    }
  }
  if (comparison_.empty() || expects_factor) throw malformed();
}

Value Constraint::value_of_product(const Product& product, const PlanPoint& point) {
  const auto value_of_factor = [&point](const Factor& factor) {
    const auto* const index = std::get_if<std::size_t>(&factor);
    return index != nullptr ? point[*index] : std::get<Value>(factor);
  };
  Value value = value_of_factor(product.front());
  for (std::size_t i = 1; i < product.size(); ++i) {
    const Value factor = value_of_factor(product[i]);
    if (value.number && factor.number) {
      *value.number *= *factor.number;
    } else {
      value.number.reset();
    }
  }
  return value;
}

bool Constraint::holds(const PlanPoint& point) const {
  const Value left = value_of_product(left_, point);
  const Value right = value_of_product(right_, point);
  if (!left.number || !right.number) {
    if (comparison_ == "==") return left.text == right.text;
    return comparison_ == "!=" && left.text != right.text;
  }
  if (comparison_ == "<") return *left.number < *right.number;
  if (comparison_ == "<=") return *left.number <= *right.number;
  if (comparison_ == ">") return *left.number > *right.number;
  if (comparison_ == ">=") return *left.number >= *right.number;
  return (*left.number == *right.number) == (comparison_ == "==");
}

}  // namespace kernbench::farm

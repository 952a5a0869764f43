// SPDX-License-Identifier: Apache-2.0
#include "farm/constraint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "common/text_distance.hpp"
#include "farm/csv.hpp"
#include "farm/quantity.hpp"

namespace kernbench::farm {
namespace {

std::vector<std::string> names_of(const std::vector<std::string>& parameters,
                                  const std::vector<Target>& targets) {
  std::vector<std::string> names = parameters;
  for (const Target& target : targets) names.push_back(target.name);
  return names;
}

/// Returns what a number with a unit is multiplied by: into the unit of the targets that `text`
/// names, if all have the same unit of time.
Expression::Unit unit_of(const std::string& text, const std::vector<Target>& targets) {
  return [&text, &targets](const std::string& word) -> std::optional<double> {
    const std::optional<double> given = seconds_of(word);
    std::optional<double> own;
    for (const Target& target : targets) {
      if (text.find(target.name) == std::string::npos) continue;
      const std::optional<double> seconds = seconds_of(target.time_unit());
      if (!seconds || (own && *own != *seconds)) return std::nullopt;
      own = seconds;
    }
    if (!given || !own) return std::nullopt;
    return *given / *own;
  };
}

}  // namespace

Constraint::Constraint(const std::string& text, const std::vector<std::string>& parameters,
                       const std::vector<Target>& targets)
    : comparison_(text, names_of(parameters, targets), unit_of(text, targets)) {
  const std::vector<std::string> known = names_of(parameters, targets);
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  for (const std::string& name : comparison_.names()) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      throw std::invalid_argument(
          fmt::format("'{}' is neither a parameter nor a target of the plan{}", name,
                      common::did_you_mean(name, candidates)));
    }
    places_.push_back(static_cast<std::size_t>(found - known.begin()));
    is_of_parameters_ = is_of_parameters_ && places_.back() < parameters.size();
  }
  if (!comparison_.is_comparison()) {
    throw std::invalid_argument(
        fmt::format("'{}' is not a comparison, such as 'bench.m * bench.n <= 4096'", text));
  }
}

bool Constraint::holds(const PlanPoint& point, const std::vector<nlohmann::json>& targets) const {
  std::vector<Value> values;
  for (const std::size_t place : places_) {
    if (place < point.size()) {
      values.push_back(point[place]);
      continue;
    }
    const nlohmann::json& target = targets.at(place - point.size());
    if (target.is_null()) return false;
    values.push_back(value_of_text(text_of(target)));
  }
  const std::optional<double> held = comparison_.value(values);
  return held && *held != 0.0;
}

std::vector<Constraint> constraints_of(const std::vector<std::string>& texts,
                                       const std::vector<std::string>& parameters,
                                       const std::vector<Target>& targets) {
  std::vector<Constraint> constraints;
  constraints.reserve(texts.size());
  for (const std::string& text : texts) constraints.emplace_back(text, parameters, targets);
  return constraints;
}

}  // namespace kernbench::farm

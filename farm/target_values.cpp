// SPDX-License-Identifier: Apache-2.0
#include "farm/target_values.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "farm/csv.hpp"

namespace kernbench::farm {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kTopology = "topology.";

/// Returns the place of a name in a list, and notes its first user if it is new there.
std::size_t place_of(const std::string& name, std::size_t user, std::vector<std::string>& names,
                     std::vector<std::size_t>& users) {
  const auto known = std::find(names.begin(), names.end(), name);
  if (known != names.end()) return static_cast<std::size_t>(known - names.begin());
  names.push_back(name);
  users.push_back(user);
  return names.size() - 1;
}

/// Returns a number of a plan as JSON, whole if it is.
Json json_of(const Value& value) {
  return value.number ? Json::parse(value.text, nullptr, false) : Json(value.text);
}

}  // namespace

TargetValues::TargetValues(const Plan& plan) {
  for (std::size_t t = 0; t < plan.targets.size(); ++t) {
    const Target& target = plan.targets[t];
    One& one = targets_.emplace_back();
    if (target.of.empty() || target.of.starts_with('/')) {
      const std::string& field = target.of.empty() ? target.name : target.of;
      one.parts.push_back({Source::Field, place_of(field, t, fields_, users_)});
      continue;
    }
    Expression expression(target.of, plan.parameters);
    for (const std::string& name : expression.names()) {
      const auto parameter = std::find(plan.parameters.begin(), plan.parameters.end(), name);
      if (parameter != plan.parameters.end()) {
        one.parts.push_back(
            {Source::Parameter, static_cast<std::size_t>(parameter - plan.parameters.begin())});
      } else if (name.starts_with(kTopology)) {
        one.parts.push_back(
            {Source::Key, place_of(name.substr(kTopology.size()), t, keys_, key_users_)});
      } else {
        one.parts.push_back({Source::Field, place_of(name, t, fields_, users_)});
      }
    }
    if (one.parts.size() != 1 || target.of != expression.names().front()) {
      one.expression = std::move(expression);
    }
  }
}

bool TargetValues::is_known_before(std::size_t target) const {
  const std::vector<Part>& parts = targets_[target].parts;
  return std::all_of(parts.begin(), parts.end(),
                     [](const Part& part) { return part.source != Source::Field; });
}

std::vector<Json> TargetValues::values(const PlanPoint& point, const std::vector<Json>& keys,
                                       const std::vector<Json>& fields) const {
  std::vector<Json> values;
  for (const One& one : targets_) {
    std::vector<Json> parts;
    for (const Part& part : one.parts) {
      switch (part.source) {
        case Source::Parameter:
          parts.push_back(json_of(point[part.place]));
          break;
        case Source::Key:
          parts.push_back(keys.at(part.place));
          break;
        case Source::Field:
          parts.push_back(part.place < fields.size() ? fields[part.place] : Json());
          break;
      }
    }
    if (!one.expression) {
      values.push_back(parts.front());
      continue;
    }
    std::vector<Value> numbers;
    numbers.reserve(parts.size());
    for (const Json& part : parts) numbers.push_back(value_of_text(text_of(part)));
    const std::optional<double> value = one.expression->value(numbers);
    values.push_back(value ? Json(*value) : Json());
  }
  return values;
}

}  // namespace kernbench::farm

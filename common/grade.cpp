// SPDX-License-Identifier: Apache-2.0
#include "common/grade.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "common/enum_names.hpp"

namespace kernbench::common {
namespace {

constexpr std::array<EnumName<Grade::Kind>, 3> kKinds = {{
    {"exact", Grade::Kind::Exact},
    {"within", Grade::Kind::Within},
    {"estimate", Grade::Kind::Estimate},
}};

}  // namespace

Grade Grade::estimate(std::string reason) {
  return {Kind::Estimate, 0.0, {std::move(reason)}};
}

Grade Grade::within(double percent, const std::string& reason) {
  if (percent <= kLargestBound) return {Kind::Within, percent, {reason}};
  return estimate(fmt::format("{}, {:.1f} % off", reason, percent));
}

void Grade::add(const Grade& other) {
  reasons.insert(reasons.end(), other.reasons.begin(), other.reasons.end());
  kind = std::max(kind, other.kind);
  percent += other.percent;
  if (percent > kLargestBound) kind = Kind::Estimate;
  if (kind == Kind::Estimate) percent = 0.0;
}

std::string Grade::name() const {
  if (kind == Kind::Within) return fmt::format("within {:.1f} %", percent);
  return std::string(name_of(kKinds, kind));
}

std::string Grade::text() const {
  return reasons.empty() ? name() : fmt::format("{}: {}", name(), fmt::join(reasons, "; "));
}

nlohmann::json to_json(const Grade& grade) {
  nlohmann::json json = {{"kind", name_of(kKinds, grade.kind)}};
  if (grade.kind == Grade::Kind::Within) json["percent"] = grade.percent;
  if (!grade.reasons.empty()) json["reasons"] = grade.reasons;
  return json;
}

Grade grade_from_json(const nlohmann::json& json) {
  Grade grade;
  const auto name = json.at("kind").get<std::string>();
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                 [&](const auto& known) { return known.first == name; });
  if (kind == kKinds.end()) throw std::invalid_argument(fmt::format("no grade is '{}'", name));
  grade.kind = kind->second;
  if (grade.kind == Grade::Kind::Within) grade.percent = json.at("percent").get<double>();
  if (json.contains("reasons")) json.at("reasons").get_to(grade.reasons);
  return grade;
}

}  // namespace kernbench::common

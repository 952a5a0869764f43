// SPDX-License-Identifier: Apache-2.0
#include "common/grade.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "common/description.hpp"
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

template <>
const Description<Grade>& description_of() {
  static const auto kAll =
      Description<Grade>()
          .defined_in_envelope("/properties/grade")
          .add_named("kind", &Grade::kind, kKinds)
          .add("percent", &Grade::percent, "largest error that a test has measured")
          .above(0)
          .at_most(Grade::kLargestBound)
          .absent_unless("the kind is within")
          .add("reasons", &Grade::reasons, "what was not simulated flit by flit, cycle by cycle")
          .not_empty()
          .items_at_least(1)
          .absent_unless("there are any");
  return kAll;
}

}  // namespace kernbench::common

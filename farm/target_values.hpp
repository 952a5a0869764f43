// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "farm/expression.hpp"
#include "farm/plan.hpp"

namespace kernbench::farm {

/// Computes the targets of a plan from the parameters of a point, keys of its topology and fields
/// of its report.
class TargetValues {
 public:
  /// `plan` is already checked.
  explicit TargetValues(const Plan& plan);

  /// Returns the fields of the report that the targets need, and with each the first target that
  /// does.
  [[nodiscard]] const std::vector<std::string>& fields() const { return fields_; }
  [[nodiscard]] std::size_t target_of_field(std::size_t field) const { return users_[field]; }
  /// Returns the keys of the topology that the targets need, such as "pe.clock_ghz", and with each
  /// the first target that does.
  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }
  [[nodiscard]] std::size_t target_of_key(std::size_t key) const { return key_users_[key]; }

  /// Returns whether a target is known before a point runs.
  [[nodiscard]] bool is_known_before(std::size_t target) const;
  /// Returns all targets: a number, a text, true, false, or null if a part of it is missing or not
  /// a number. `fields` may be empty before the point has run.
  [[nodiscard]] std::vector<nlohmann::json> values(const PlanPoint& point,
                                                   const std::vector<nlohmann::json>& keys,
                                                   const std::vector<nlohmann::json>& fields) const;

 private:
  enum class Source { Parameter, Key, Field };
  struct Part {
    Source source;
    std::size_t place;  ///< in the list of its source
  };
  struct One {
    std::vector<Part> parts;
    std::optional<Expression> expression;  ///< absent: the value is its only part
  };

  std::vector<One> targets_;
  std::vector<std::string> fields_;
  std::vector<std::string> keys_;
  std::vector<std::size_t> users_;
  std::vector<std::size_t> key_users_;
};

}  // namespace kernbench::farm

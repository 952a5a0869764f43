// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/value_form.hpp"

namespace kernbench::plot {

/// A value of two reports, or one that a report lacks.
struct ValuePair {
  /// Place in the data, rows by what tells them apart: "regions.gemm.time_ps",
  /// "cases.light 7.seed".
  std::string path;
  const common::ValueForm* form = nullptr;
  const nlohmann::json* a = nullptr;  ///< null: the report has no such value
  const nlohmann::json* b = nullptr;

  [[nodiscard]] bool is_equal() const;
};

/// Returns B - A of two numbers with its sign, and as a share of A: "+1 (+25 %)"; "=" for equal
/// values, and "differs" for texts and other values.
[[nodiscard]] std::string difference_of(const common::ValueForm& form, const nlohmann::json& a,
                                        const nlohmann::json& b);

/// Returns |B - A|, an integer if both numbers are.
[[nodiscard]] nlohmann::json size_of_change(const nlohmann::json& a, const nlohmann::json& b);

/// Returns B - A as a share of A: " (+25 %)"; nothing if A is 0.
[[nodiscard]] std::string percent_of_change(const nlohmann::json& a, const nlohmann::json& b);

/// Calls `visit` for each value of two objects of a form: single values, values of lists and maps,
/// and whatever one of them lacks as a whole. Rows of two lists belong together as on the page that
/// compares reports; where each list then has as many rows left, these belong together in order.
/// Host times, the members `host` and `seconds`, are left out.
void for_each_pair(const common::ValueForm& form, const nlohmann::json& a, const nlohmann::json& b,
                   const std::function<void(const ValuePair& pair)>& visit,
                   const std::string& path = {});

}  // namespace kernbench::plot

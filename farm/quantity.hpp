// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "farm/plan.hpp"

namespace kernbench::farm {

/// The unit in which an axis shows a field: `label` names field and unit.
struct Quantity {
  std::string label;
  double unit = 1;  ///< an axis shows a value divided by this
};

/// Returns a unit in which numbers up to `largest`, an absolute value, have few digits. Values with
/// a unit of time are shown in a fitting one, "data.end_ps in us". Other ones are counted in
/// thousands, millions and so on.
[[nodiscard]] Quantity quantity_of(const Target& target, double largest);
/// Does the same for a parameter, whose unit is known if its name ends with one.
[[nodiscard]] Quantity quantity_of(const std::string& name, double largest);

/// Returns a value with its unit, "12.3 us"; texts as they are.
[[nodiscard]] std::string quantity_text(const Target& target, const nlohmann::json& value);

/// Returns the seconds of a unit of time, ps to s; nothing for other words.
[[nodiscard]] std::optional<double> seconds_of(std::string_view unit);

/// Returns a number with about six digits, up to 10^15 without an exponent.
[[nodiscard]] std::string plain_number(double value);

}  // namespace kernbench::farm

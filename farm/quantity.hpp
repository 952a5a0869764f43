// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kernbench::farm {

/// The unit in which an axis shows a field: `label` names field and unit.
struct Quantity {
  std::string label;
  double unit = 1;  ///< an axis shows a value divided by this
};

/// Returns a unit in which numbers up to `largest`, an absolute value, have few digits. Fields
/// whose names end with _ps, _ns, _us, _ms or _s are times: "data.end_ps in us". Other ones are
/// counted in thousands, millions and so on.
[[nodiscard]] Quantity quantity_of(const std::string& name, double largest);

/// Returns a number with about six digits, up to 10^15 without an exponent.
[[nodiscard]] std::string plain_number(double value);

}  // namespace kernbench::farm

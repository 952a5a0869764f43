// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace kernbench::farm {

/// Returns the value of a field of a report: a number, a text, true, false, or null if the report
/// has no such field or the field is a list or an object. `path` is a dotted path such as
/// "data.regions[0].time_ps", or a JSON pointer such as "/data/regions/0/time_ps".
[[nodiscard]] nlohmann::json field_of(const nlohmann::json& report, const std::string& path);

/// Returns the dotted paths of all fields that have one value, in the order of the report.
[[nodiscard]] std::vector<std::string> fields_of(const nlohmann::json& report);

}  // namespace kernbench::farm

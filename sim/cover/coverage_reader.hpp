// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/cover/covered_run.hpp"

namespace kernbench::sim {

/// Reads the `data` of a coverage file. `file` names it in messages. Throws common::BadInput with
/// all that is wrong with their form, or else with their bins. Whether the summary follows from the
/// bins is not checked.
[[nodiscard]] CoverageOfRuns coverage_of_json(const nlohmann::json& data, const std::string& file);

}  // namespace kernbench::sim

#pragma once

#include <nlohmann/json.hpp>

#include "sim/cosim/calibration.hpp"

namespace kernbench::sim {

/// The `data` of a "cosim-calibration" (docs/report-schema.md).
[[nodiscard]] nlohmann::json calibration_json(const CalibrationResult& result);

}  // namespace kernbench::sim

#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cosim/calibrate/calibration.hpp"

namespace kernbench::cosim {

/// The `data` of a "cosim-calibration" (docs/calibration.md).
[[nodiscard]] nlohmann::json calibration_json(const CalibrationResult& result);

/// 16 hexadecimal digits, of everything that decides what calibrate() returns.
[[nodiscard]] std::string calibration_config_hash(const topology::SipSpec& sip,
                                                  const CalibrationOptions& options);

}  // namespace kernbench::cosim

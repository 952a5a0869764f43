// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cosim/calibrate/calibration.hpp"

namespace kernbench::cosim {

/// Formats a result as a table for a terminal.
[[nodiscard]] std::string calibration_text(const CalibrationResult& result);

/// Returns the `data` of a "cosim-calibration" (docs/calibration.md).
[[nodiscard]] nlohmann::json calibration_json(const CalibrationResult& result);

/// Hashes everything that determines the result of calibrate(): 16 hexadecimal digits.
[[nodiscard]] std::string calibration_config_hash(const topology::SipSpec& sip,
                                                  const CalibrationOptions& options);

}  // namespace kernbench::cosim

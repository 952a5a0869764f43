// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/described.hpp"
#include "cosim/calibrate/calibration.hpp"
#include "plot/report_kind.hpp"

namespace kernbench::cosim {

/// Formats a result as a table for a terminal.
[[nodiscard]] std::string calibration_text(const CalibrationResult& result);

/// The report of a calibration, whose data are a CalibrationResult.
extern const plot::ReportKind kCalibrationReport;

/// Hashes everything that determines the result of calibrate(): 16 hexadecimal digits.
[[nodiscard]] std::string calibration_config_hash(const topology::SipSpec& sip,
                                                  const CalibrationOptions& options);

}  // namespace kernbench::cosim

template <>
const kernbench::common::Description<kernbench::cosim::CalibrationResult>&
kernbench::common::description_of();

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/report_envelope.hpp"
#include "cosim/run/cosim.hpp"

namespace kernbench::cosim {

/// Returns the results as one self-contained HTML page, which is also well-formed XML: failures,
/// errors of the analytic fabric and, per pattern, curves, transfers with the largest errors and
/// the utilization of links. `report` is the envelope of the same run, without its data. `topology`
/// is the path of the spec as given, `json` that of the JSON report relative to the page, or empty.
[[nodiscard]] std::string html_report(const std::vector<WorkloadResult>& results,
                                      const topology::SipSpec& sip, const std::string& topology,
                                      const common::ReportEnvelope& report,
                                      const std::string& json = {});

}  // namespace kernbench::cosim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/report_envelope.hpp"
#include "model/report/run_report.hpp"

namespace kernbench::model::report {

/// Returns the HTML page of a run whose causes are recorded: all members of its report, with the
/// critical paths as bars, over time and on pictures of the SIPs. `report` is that of the run, with
/// its `data`.
[[nodiscard]] std::string run_page(const common::ReportEnvelope& report, const RunReport& run);

}  // namespace kernbench::model::report

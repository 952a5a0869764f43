// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plot/report_kind.hpp"

namespace kernbench::sim {

/// The results of `make prove`, which formal/report.py writes.
extern const plot::ReportKind kProofsReport;

}  // namespace kernbench::sim

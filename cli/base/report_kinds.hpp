// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plot/report_kind.hpp"

namespace kernbench::cli {

/// Returns all kinds of report whose data are described.
[[nodiscard]] const plot::ReportKinds& report_kinds();

}  // namespace kernbench::cli

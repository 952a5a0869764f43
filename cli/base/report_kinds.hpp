// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plot/own_pages.hpp"
#include "plot/report_kind.hpp"

namespace kernbench::cli {

/// Returns all kinds of report whose data are described.
[[nodiscard]] const plot::ReportKinds& report_kinds();

/// Returns the pages among these that do not follow from the forms of their kinds.
[[nodiscard]] plot::OwnPages own_pages();

}  // namespace kernbench::cli

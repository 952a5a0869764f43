// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace kernbench::plot {

/// Returns plot/report_page.css, the style sheet of all HTML reports.
[[nodiscard]] std::string_view report_style();

/// Returns plot/report_page.js, their script.
[[nodiscard]] std::string_view report_script();

}  // namespace kernbench::plot

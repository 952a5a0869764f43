// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace kernbench::sim {

/// Returns sim/debug/failure_page.css, the style that the page of a failure adds.
[[nodiscard]] std::string_view failure_style();

/// Returns sim/debug/failure_page.js, its script.
[[nodiscard]] std::string_view failure_script();

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kernbench::cosim {

/// Returns the rules of a cosim page that html_style() lacks: charts and their legends, tables with
/// a block of rows for each load, cells of the link map.
[[nodiscard]] std::string cosim_style();

}  // namespace kernbench::cosim

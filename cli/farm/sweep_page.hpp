// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "farm/store.hpp"

namespace kernbench::cli {

/// Returns an HTML page without a script on a sweep: outcomes, the Pareto front, charts, failed
/// points, and the first 1,000 rows.
[[nodiscard]] std::string sweep_page(const farm::Table& table);

}  // namespace kernbench::cli

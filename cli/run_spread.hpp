// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "model/bench/spread.hpp"

namespace kernbench::cli {

/// Prints the median and the band of each time.
void print_spread(const model::bench::Spread& spread);
/// Returns the same for a report.
[[nodiscard]] nlohmann::json spread_json(const model::bench::Spread& spread);

}  // namespace kernbench::cli

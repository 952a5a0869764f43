// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "plot/report_page.hpp"

namespace kernbench::model::serving {

/// Returns the charts of the report of `kernbench serve`: latencies over the rate of requests by
/// percentile, what waits and runs over time, the cache in use, and where the time of steps goes.
[[nodiscard]] std::vector<plot::ReportSection> serving_charts(const nlohmann::json& data);

}  // namespace kernbench::model::serving

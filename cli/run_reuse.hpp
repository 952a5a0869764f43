// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "model/bench/runner.hpp"

namespace kernbench::cli {

/// Prints how much work was repeated rather than simulated, and how far its time is from that of
/// works that were simulated again. Prints nothing for a run without reuse.
void print_reuse(const model::bench::RunResult& result);
/// Returns the same for a report.
[[nodiscard]] nlohmann::json reuse_json(const model::runtime::RepeatSummary& repeats);

}  // namespace kernbench::cli

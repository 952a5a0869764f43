// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "model/bench/runner.hpp"

namespace kernbench::cli {

/// Returns how many numbers the checks of a run compared, those of collectives included.
[[nodiscard]] std::uint64_t compared_numbers(const model::bench::RunResult& result);
[[nodiscard]] bool has_wrong_numbers(const model::bench::RunResult& result);

/// Prints a line for each check, and one for the contracts of all calls of collectives.
void print_checks(const model::bench::RunResult& result);

// Parts of a report of kind "run". The contracts are those of all calls together.
[[nodiscard]] nlohmann::json checks_json(const model::bench::RunResult& result);
[[nodiscard]] nlohmann::json contracts_json(const model::bench::RunResult& result);

}  // namespace kernbench::cli

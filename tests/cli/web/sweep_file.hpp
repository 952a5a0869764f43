// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "farm/plan.hpp"

namespace kernbench::cli_test {

/// A point of a sweep and its result.
struct SweepPoint {
  std::vector<std::string> values;      ///< one for each parameter
  std::vector<nlohmann::json> targets;  ///< null where the report has no such field
  std::string outcome = "pass";
  std::string message{};
};

/// Returns a plan of `kernbench run gemm` without points.
[[nodiscard]] farm::Plan gemm_plan();

/// Writes the database of a sweep whose points have the keys k0, k1, ... The last `missing` points
/// have no row.
void write_sweep(const std::filesystem::path& path, farm::Plan plan,
                 const std::vector<SweepPoint>& points, std::size_t missing = 0);

/// Writes three rows of four points; the last row has failed.
void write_small_sweep(const std::filesystem::path& path);

/// Writes a sweep with four parameters and three targets: 100,000 rows. Each 1,000th has failed.
void write_large_sweep(const std::filesystem::path& path);

}  // namespace kernbench::cli_test

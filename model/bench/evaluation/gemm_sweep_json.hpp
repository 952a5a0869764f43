// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "model/bench/evaluation/gemm_sweep.hpp"

namespace kernbench::model::bench {

/// The `kind` of a sweep's report.
inline constexpr std::string_view kGemmSweepKind = "gemm-evaluation";

/// Returns the `data` of a sweep's report; docs/evaluation.md describes its fields.
[[nodiscard]] nlohmann::json to_json(const GemmSweep& sweep);

/// Reads the report of a sweep. Throws common::BadInput with all errors and the name of the file:
/// another kind of report, bad fields, two points of one case, a point above the roofline.
[[nodiscard]] GemmSweep read_gemm_sweep(const std::filesystem::path& path);

}  // namespace kernbench::model::bench

#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "model/bench/evaluation/gemm_sweep.hpp"

namespace kernbench::model::bench {

/// The `kind` of a sweep's report.
inline constexpr std::string_view kGemmSweepKind = "gemm-evaluation";

/// The `data` of a sweep's report; docs/evaluation.md has the fields.
[[nodiscard]] nlohmann::json to_json(const GemmSweep& sweep);

/// Reads a sweep's report back. Throws common::BadInput, naming the file and everything that is
/// wrong: what is no report of a sweep, two points of one case, a point above the roofline.
[[nodiscard]] GemmSweep read_gemm_sweep(const std::filesystem::path& path);

}  // namespace kernbench::model::bench

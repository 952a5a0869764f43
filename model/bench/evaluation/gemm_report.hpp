// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "common/archive.hpp"
#include "common/described.hpp"
#include "model/bench/evaluation/gemm_sweep.hpp"
#include "plot/report_kind.hpp"

namespace kernbench::model::bench {

/// The report of a sweep of GEMMs, whose data are a GemmSweep.
extern const plot::ReportKind kGemmReport;

/// Reads the report of a sweep. Throws common::BadInput with all errors and the name of the file:
/// another kind of report, bad fields, two points of one case, a point above the roofline.
[[nodiscard]] GemmSweep read_gemm_sweep(const std::filesystem::path& path);

}  // namespace kernbench::model::bench

template <>
const kernbench::common::Description<kernbench::model::bench::GemmPoint>&
kernbench::common::description_of();
template <>
const kernbench::common::Description<kernbench::model::bench::GemmSweep>&
kernbench::common::description_of();
template <>
inline constexpr bool
    kernbench::common::kArchivedByDescription<kernbench::model::bench::GemmPoint> = true;

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/cover/coverage_data.hpp"
#include "sim/dut/dut_library.hpp"
#include "sim/regression/case_pool.hpp"
#include "sim/regression/case_result.hpp"
#include "sim/regression/case_runner.hpp"
#include "sim/regression/regression_spec.hpp"

namespace kernbench::sim {

using RegressionRun = MeasuredRegression<CaseSpec, CoverageData>;

/// Returns the cases of a regression in configuration order. Seeds of a suite are spec.seed, +1,
/// ...
[[nodiscard]] std::vector<CaseSpec> list_cases(const RegressionSpec& spec);

/// Runs all cases. Results are in case order and independent of `jobs`. After an interruption the
/// outcome is Interrupted and the result has the finished cases only. After a failure with
/// `fail_fast`, it has the cases that had been started.
/// Throws common::BadInput when the model was built for another fabric than that of the spec.
[[nodiscard]] RegressionRun run_regression(const RegressionSpec& spec, const DutLibrary& library,
                                           const RunOptions& options);

/// Returns the cycles around a failure for which a waveform is written.
[[nodiscard]] TraceWindow failure_window(std::uint64_t cycle);

/// Runs one case again with an FST of the cycles in `window`. Throws common::BadInput when the
/// outputs of the fabric differ from those of `first_run`, or when `interrupted` returned true.
void trace_case(const CaseSpec& spec, const CaseResult& first_run, const DutLibrary& traced,
                const TraceWindow& window, const std::function<bool()>& interrupted);

/// Throws common::BadInput unless the model at `path` has this shape.
void require_shape(const DutInfo& info, const maze::Shape& shape, const std::string& path);

}  // namespace kernbench::sim

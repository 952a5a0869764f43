#pragma once

#include <string>

#include "sim/dut/model_store.hpp"
#include "sim/regression/regression_runner.hpp"

namespace kernbench::cli {

/// Re-runs the first failed cases with waves and names the files in their results.
/// Builds the traced model if need be, which takes minutes the first time.
void trace_failures(sim::RegressionRun& run, const sim::RegressionSpec& spec,
                    const sim::ModelStore& store, sim::ModelRequest request,
                    const std::string& report_folder);

}  // namespace kernbench::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "cli/rtl/sim_causes.hpp"
#include "cli/rtl/sim_options.hpp"
#include "cli/rtl/sim_waves.hpp"
#include "common/outcome.hpp"
#include "sim/cover/coverage_summary.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::cli {

/// A regression of any design that has run.
struct FinishedRun {
  sim::RegressionResult& result;
  sim::CoverageSummary coverage;
  std::size_t cases = 0;  ///< number of cases, the first of the result, that can run again
  std::function<CaseTracer()> open_tracer;
  CaseCauses causes;  ///< causes of these cases; empty if none is looked for
  /// Writes further files into the report folder. May be empty. Throws common::BadInput.
  std::function<void()> write_more;
};

/// Writes the reports before and after the waves, and the summary to the terminal. Whatever happens
/// to the waves or to a file, the others stay.
[[nodiscard]] common::Outcome conclude(const FinishedRun& run, const WaveOption& waves,
                                       const SimOptions& options, const std::string& root);

}  // namespace kernbench::cli

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/cover/coverage_data.hpp"
#include "sim/dut/dut_library.hpp"
#include "sim/regression/case_result.hpp"
#include "sim/regression/case_runner.hpp"
#include "sim/regression/regression_spec.hpp"

namespace kernbench::sim {

/// How a regression is run; nothing here changes the result of a case.
struct RunOptions {
  unsigned jobs = 1;                                       ///< threads; each case has one to itself
  std::function<void(std::uint64_t new_cycles)> progress;  ///< from any thread, as cases run
  std::function<void(const CaseResult&)> case_done;        ///< from any thread, once a case
  std::function<bool()> interrupted;
  std::function<std::string(const CaseSpec&)> command;  ///< that re-runs one case
  /// Folder for the code coverage of every case, Verilator's `<case number>.dat`; empty: none.
  std::string code_coverage;
};

struct RegressionRun {
  RegressionResult result;
  std::optional<CoverageData> coverage;
  std::vector<CaseSpec> specs;  ///< of result.cases, index by index
};

/// The cases of a regression in configuration order; seeds of a suite are spec.seed, +1, +2, ...
[[nodiscard]] std::vector<CaseSpec> list_cases(const RegressionSpec& spec);

/// Runs all cases. Results are in case order and independent of `jobs`.
/// Throws common::BadInput when the model was built for another fabric than the spec's.
[[nodiscard]] RegressionRun run_regression(const RegressionSpec& spec, const DutLibrary& library,
                                           const RunOptions& options);

/// The cycles around the first failure of a case.
[[nodiscard]] TraceWindow failure_window(const CaseResult& failed);

/// Re-runs one case with an FST of the cycles in `window`. Throws std::logic_error when tracing
/// changed what the fabric drove, which `first_run` tells.
void trace_case(const CaseSpec& spec, const CaseResult& first_run, const DutLibrary& traced,
                const TraceWindow& window);

/// Throws common::BadInput unless the model is of this shape.
void require_shape(const DutInfo& info, const maze::Shape& shape, const std::string& path);

}  // namespace kernbench::sim

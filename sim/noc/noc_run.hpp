// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/dut/dut_library.hpp"
#include "sim/harness/harness.hpp"
#include "sim/noc/noc_case.hpp"
#include "sim/noc/noc_coverage.hpp"
#include "sim/noc/noc_users.hpp"
#include "sim/regression/case_pool.hpp"

namespace kernbench::sim {

using NocLibrary = DesignLibrary<NocDut>;
using NocRun = MeasuredCase<NocHits>;
using NocRegression = MeasuredRegression<NocCase, NocHits>;

/// Options of a run that are not of its case.
struct NocCaseOptions {
  TraceWindow trace;  ///< empty path: no waves
  std::function<bool(std::uint64_t cycle)> heartbeat;
  Extension* recorder = nullptr;  ///< sees every cycle, behind the checkers
  /// In place of the users of the case. These affect the result.
  NocStimulus* users = nullptr;
};

/// Returns the users of a case, and the resets under their traffic.
[[nodiscard]] std::unique_ptr<NocStimulus> noc_users(const NocDevice& device, const NocCase& one);
[[nodiscard]] std::vector<ResetEvent> resets_of(const NocCase& one);

/// Throws common::BadInput unless the model is one of this network.
void require_network(NocDut& dut, const noc::Network& network, const std::string& path);

/// Runs one case. The outcome depends only on the arguments.
[[nodiscard]] NocRun run_noc_case(const NocCase& one, const NocBins& bins, NocDut& dut,
                                  const NocCaseOptions& options);

/// Runs all cases, as run_regression() does. `named` has what names the regression. Throws
/// common::BadInput if the model is another network.
[[nodiscard]] NocRegression run_noc_regression(RegressionResult named,
                                               const std::vector<NocCase>& cases,
                                               const NocBins& bins, const NocLibrary& library,
                                               const RunOptions& options);

/// Runs one case again with an FST of the cycles in `window`. Throws common::BadInput when the
/// outputs differ from those of `first_run`, or when `interrupted` returned true.
void trace_noc_case(const NocCase& one, const CaseResult& first_run, const NocBins& bins,
                    const NocLibrary& traced, const TraceWindow& window,
                    const std::function<bool()>& interrupted);

}  // namespace kernbench::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/dut/dut_library.hpp"
#include "sim/network/network_case.hpp"
#include "sim/network/network_coverage.hpp"
#include "sim/regression/case_runner.hpp"
#include "sim/regression/user_traffic.hpp"

namespace kernbench::sim {

using NetworkRun = MeasuredCase<NetworkCoverage>;
using NetworkRegression = MeasuredRegression<NetworkCase, NetworkCoverage>;

/// Runs one case on its own network. The checkers are lockstep, scoreboard, watchdog, assertions
/// where the nodes have theirs, and latency with NetworkPattern::Alone. The outcome depends only on
/// the arguments.
[[nodiscard]] NetworkRun run_network_case(const NetworkCase& one, NetworkDut& dut,
                                          const CaseOptions& options);

/// Runs all cases, as run_regression() does. `named` has what names the regression; its shape and
/// model become those of the library. Throws common::BadInput when code coverage is asked for that
/// the model does not have.
[[nodiscard]] NetworkRegression run_network_regression(RegressionResult named,
                                                       const std::vector<NetworkCase>& cases,
                                                       const NetworkLibrary& library,
                                                       const RunOptions& options);

/// Runs one case again with an FST of the cycles in `window`. Throws common::BadInput when the
/// outputs of the network differ from those of `first_run`, whose flops started with other bits, or
/// when `interrupted` returned true.
void trace_network_case(const NetworkCase& one, const CaseResult& first_run,
                        const NetworkLibrary& traced, const TraceWindow& window,
                        const std::function<bool()>& interrupted);

}  // namespace kernbench::sim

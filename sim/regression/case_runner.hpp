// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/cover/coverage_data.hpp"
#include "sim/dut/maze_dut.hpp"
#include "sim/harness/case_observer.hpp"
#include "sim/harness/harness.hpp"
#include "sim/regression/case_pool.hpp"
#include "sim/regression/case_result.hpp"
#include "sim/regression/regression_spec.hpp"

namespace kernbench::sim {

/// A suite with one of its seeds and, if it injects faults, one of them.
struct CaseSpec {
  const SuiteSpec* suite = nullptr;
  std::uint64_t seed = 0;
  const FaultCase* fault = nullptr;
};

using CaseRun = MeasuredCase<CoverageData>;

struct CaseOptions {
  std::uint64_t packets_per_link = 0;  ///< goal of the coverage bins that count packets
  bool deep_coverage = false;          ///< collects DeepBins
  TraceWindow trace;                   ///< empty path: no waves
  std::function<bool(std::uint64_t cycle)> heartbeat;
  CaseObserver* observer = nullptr;  ///< observer of a case that runs again
};

/// Runs one case on its own fabric. The outcome depends only on the arguments.
[[nodiscard]] CaseRun run_case(const CaseSpec& spec, MazeDut& dut, const CaseOptions& options);

}  // namespace kernbench::sim

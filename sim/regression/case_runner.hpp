// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/cover/coverage_data.hpp"
#include "sim/dut/maze_dut.hpp"
#include "sim/harness/harness.hpp"
#include "sim/regression/case_result.hpp"
#include "sim/regression/regression_spec.hpp"

namespace kernbench::sim {

/// A suite with one of its seeds and, if it injects faults, one of them.
struct CaseSpec {
  const SuiteSpec* suite = nullptr;
  std::uint64_t seed = 0;
  const FaultCase* fault = nullptr;
};

/// Result and measurements of a case.
struct CaseRun {
  CaseResult result;
  bool skipped = false;                     ///< not run, because another case failed before
  std::optional<CoverageData> coverage;     ///< traffic cases without a fault
  std::vector<std::uint64_t> link_packets;  ///< without a fault, [port*nodes + receiving node]
  std::vector<std::uint64_t> link_stalls;   ///< without a fault, [port*nodes + receiving node]
  std::vector<std::uint64_t>
      link_longest_stalls;  ///< without a fault, [port*nodes + receiving node]
};

struct CaseOptions {
  std::uint64_t packets_per_link = 0;  ///< goal of the coverage bins that count packets
  bool deep_coverage = false;          ///< collects DeepBins
  TraceWindow trace;                   ///< empty path: no waves
  std::function<bool(std::uint64_t cycle)> heartbeat;
};

/// Runs one case on its own fabric. The outcome depends only on the arguments.
[[nodiscard]] CaseRun run_case(const CaseSpec& spec, MazeDut& dut, const CaseOptions& options);

}  // namespace kernbench::sim

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

/// One suite with one seed and, for a suite of faults, one of them.
struct CaseSpec {
  const SuiteSpec* suite = nullptr;
  std::uint64_t seed = 0;
  const FaultCase* fault = nullptr;
};

/// What a case measured besides its result.
struct CaseRun {
  CaseResult result;
  std::optional<CoverageData> coverage;     ///< traffic cases without a fault
  std::vector<std::uint64_t> link_packets;  ///< [port*nodes + receiving node]; likewise
  std::vector<std::uint64_t> link_stalls;
};

struct CaseOptions {
  std::uint64_t packets_per_link = 0;  ///< goal of the coverage bins that count
  TraceWindow trace;                   ///< empty path: no waves
  std::function<bool(std::uint64_t cycle)> heartbeat;
};

/// Runs one case on a fabric of its own. The outcome depends on the arguments alone.
[[nodiscard]] CaseRun run_case(const CaseSpec& spec, MazeDut& dut, const CaseOptions& options);

}  // namespace kernbench::sim

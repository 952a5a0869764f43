// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/units.hpp"
#include "cosim/run/fabric_run.hpp"

namespace kernbench::cosim {

/// Statistics of the latencies of a run, in ps. Percentiles are by nearest rank.
struct LatencySummary {
  double mean = 0;
  std::int64_t median = 0;
  std::int64_t p95 = 0;
  std::int64_t max = 0;
};

/// Relative errors of the latencies of a run, as shares of those of a reference. Absolute values,
/// except for the mean.
struct LatencyError {
  double median = 0;
  double p95 = 0;
  double max = 0;
  double mean_signed = 0;          ///< positive: slower than the reference
  std::vector<std::size_t> worst;  ///< transfers with the largest errors, largest first
};

/// Summarizes the latencies of a complete run with at least one transfer (or operation). Ignores
/// those before `first`, unless there are no others.
[[nodiscard]] LatencySummary summarize(const FabricRun& run, std::size_t first = 0);

/// Compares two complete runs of the same workload. Lists at most `worst` transfers.
[[nodiscard]] LatencyError latency_error(const FabricRun& run, const FabricRun& reference,
                                         std::size_t worst = 10);

/// Describes the first operation of a machine that differs between the fabrics, or a difference in
/// the computed numbers. Returns "" when there is none.
[[nodiscard]] std::string unlike_operations(const std::vector<FabricRun>& runs);

/// Describes the first difference between two runs that must agree in every cycle. Returns "" when
/// they agree in every packet.
[[nodiscard]] std::string first_difference(const FabricRun& cycle, const FabricRun& rtl);

}  // namespace kernbench::cosim

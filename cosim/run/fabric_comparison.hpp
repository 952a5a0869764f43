#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/units.hpp"
#include "cosim/run/fabric_run.hpp"

namespace kernbench::cosim {

/// Latencies of a run's transfers, in ps; percentiles by nearest rank.
struct LatencySummary {
  double mean = 0;
  std::int64_t median = 0;
  std::int64_t p95 = 0;
  std::int64_t max = 0;
};

/// How far the latencies of a run are from those of a reference, as shares of the latter.
struct LatencyError {
  double median = 0;
  double p95 = 0;
  double max = 0;
  double mean_signed = 0;          ///< above 0: slower than the reference
  std::vector<std::size_t> worst;  ///< transfers, those that are farthest off first
};

/// Of a run whose transfers (or operations) are all done; at least one. Those before `first` do not
/// count, unless there are no others.
[[nodiscard]] LatencySummary summarize(const FabricRun& run, std::size_t first = 0);

/// `run` beside `reference`: the same workload, all done in both.
[[nodiscard]] LatencyError latency_error(const FabricRun& run, const FabricRun& reference,
                                         std::size_t worst = 10);

/// Names the first operation of machines that is not the same on all fabrics, or says that they
/// computed other numbers; empty when neither is so.
[[nodiscard]] std::string unlike_operations(const std::vector<FabricRun>& runs);

/// What two runs that must agree to the cycle do not agree on, the first thing first; empty when
/// they agree in every packet.
[[nodiscard]] std::string first_difference(const FabricRun& cycle, const FabricRun& rtl);

}  // namespace kernbench::cosim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "model/fabric/seam/fabric_kind.hpp"
#include "plot/report_kind.hpp"

namespace kernbench::model::fabric {

/// The results of one load, as a row. Latencies are in cycles.
struct TrafficRow {
  double load = 0;
  double offered = 0;
  double accepted = 0;
  double latency_mean = 0;
  std::uint64_t latency_p95 = 0;
  std::uint64_t latency_p99 = 0;
  std::uint64_t latency_max = 0;
  std::uint64_t measured = 0;   ///< transfers with a latency
  std::uint64_t transfers = 0;  ///< number in the whole run
  double mean_hops = 0;
  std::optional<std::string> busiest{};  ///< most used channel
  double busiest_use = 0;
};

/// The sizes of the routers of a network.
struct TrafficRouters {
  std::uint32_t lanes = 1;
  std::uint32_t slots = 1;
  std::uint32_t stages = 0;
  std::uint32_t packet_flits = 1;
};

/// The data of the report of `kernbench traffic`.
struct TrafficReport {
  std::string topology;
  std::string routing;
  FabricKind fabric = FabricKind::Analytic;
  bool maze = false;
  std::optional<TrafficRouters> routers{};  ///< absent with a MAZE
  std::string pattern;
  std::size_t senders = 0;
  std::uint64_t endpoints = 0;
  std::uint64_t unreachable_pairs = 0;
  std::uint64_t bytes = 1;
  std::uint32_t packet_bits = 1;
  std::uint64_t warmup = 0;
  std::uint64_t cycles = 1;
  std::vector<TrafficRow> loads{};
};

/// The report.
extern const plot::ReportKind kTrafficReport;

}  // namespace kernbench::model::fabric

template <>
const kernbench::common::Description<kernbench::model::fabric::TrafficReport>&
kernbench::common::description_of();

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cosim/run/cosim.hpp"
#include "plot/report_kind.hpp"

namespace kernbench::cosim {

/// Counts the transfers (or operations) of a complete run by latency in clock cycles, rounded up.
/// Ignores those of the warm-up.
[[nodiscard]] std::map<std::uint64_t, std::uint64_t> latency_histogram(
    const Workload& workload, const FabricRun& run, const topology::SipSpec& sip);

/// Returns the run whose links are reported: that of the RTL, else of the cycle reference, else
/// null.
[[nodiscard]] const FabricRun* run_of_links(const WorkloadResult& result);

/// The report of a co-simulation.
extern const plot::ReportKind kCosimReport;

/// Returns the data of this report. `not_run` counts the workloads that have no result. Contains no
/// host times: equal results give equal text.
[[nodiscard]] nlohmann::json json_data(const std::vector<WorkloadResult>& results,
                                       const topology::SipSpec& sip, std::size_t not_run = 0);

/// Hashes everything that determines the result of run_cosim(), except the RTL: 16 hexadecimal
/// digits.
[[nodiscard]] std::string config_hash(const topology::SipSpec& sip,
                                      const std::vector<Workload>& workloads,
                                      const Options& options);

}  // namespace kernbench::cosim

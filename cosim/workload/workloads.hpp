// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/run/cosim.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::cosim {

/// Begin of the name of a workload that is a bench.
inline constexpr std::string_view kBenchPrefix = "bench:";

/// The transfers of all workloads of a run at most. Every fabric keeps the times of each transfer,
/// for the comparison; a run of this many takes up to 4 GB.
inline constexpr std::uint64_t kMaxTransfers = 2'000'000;
/// The packets of a workload with --trace at most; the trace takes up to 1 GB.
inline constexpr std::uint64_t kMaxTracedPackets = 4'000'000;

/// Parameters of named workloads.
struct WorkloadSettings {
  std::vector<double> loads = {0.05, 0.1, 0.3, 0.5, 0.7, 0.9};  ///< loads of synthetic traffic
  std::uint64_t bytes = 1;                                      ///< bytes per transfer
  std::uint64_t count = 100;    ///< transfers of concurrent and multicasts
  std::uint64_t warmup = 200;   ///< cycles before the measurement
  std::uint64_t cycles = 2000;  ///< measured cycles
  std::uint64_t seed = 1;
  std::map<std::string, std::string> parameters{};  ///< values for all benches that define them
  std::string ccl_yaml{};                           ///< file with the process groups of benches
  std::chrono::milliseconds host_time_limit =
      std::chrono::hours(1);  ///< limit of one run of a bench
  /// Called from another thread, with the name of the workload and its state, when a run exceeds
  /// the limit. Must end the process. If empty, a run has no limit.
  std::function<void(const std::string&)> on_host_timeout{};
};

/// Returns the names of the workloads of transfers.
[[nodiscard]] std::vector<std::string> workload_names();
/// Returns the names of the workloads that run on a whole machine.
[[nodiscard]] std::vector<std::string> machine_workload_names();

/// Makes the workloads of a name: one per load for a synthetic pattern; one for `all_to_all`,
/// `concurrent` and `multicasts`; one for a transfer-trace file, which ends in .csv or .json.
/// Throws common::BadInput for an unknown name, for a SIP that cannot run the workload, and for
/// synthetic traffic of more than kMaxTransfers.
[[nodiscard]] std::vector<Workload> make_workloads(const std::string& name,
                                                   const topology::SipSpec& sip,
                                                   const WorkloadSettings& settings);

/// Makes the same workloads and, for a whole machine of this topology, those of
/// machine_workload_names() and "bench:NAME" for every linked bench. `graph` must outlive them.
[[nodiscard]] std::vector<Workload> make_workloads(const std::string& name,
                                                   const topology::TopologyGraph& graph,
                                                   const WorkloadSettings& settings);

/// Removes the transfers of a generated workload that begin or end at the failed node of the SIP,
/// if it has one. Throws common::BadInput for a machine, which uses all nodes, and for a file of
/// transfers that names the node.
void avoid_failed_node(Workload& workload, const topology::SipSpec& sip);

/// Throws common::BadInput for a transfer that the fabric of the SIP cannot carry: a multicast or
/// high QoS in a network of routers.
void require_carried(const Workload& workload, const topology::SipSpec& sip);

/// Throws common::BadInput if the workloads have more transfers than kMaxTransfers or, when the
/// first one is traced, more packets than kMaxTracedPackets.
void require_fitting(const std::vector<Workload>& workloads, const topology::SipSpec& sip,
                     bool trace_first);

/// Throws common::BadInput for a parameter of `settings` that no bench among these workloads
/// defines.
void require_used_parameters(const std::vector<std::string>& names,
                             const WorkloadSettings& settings);

}  // namespace kernbench::cosim

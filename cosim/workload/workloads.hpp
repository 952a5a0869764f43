#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cosim/run/cosim.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::cosim {

/// What workloads by name are made of.
struct WorkloadSettings {
  std::vector<double> loads = {0.05, 0.1, 0.3, 0.5, 0.7, 0.9};  ///< of synthetic traffic
  std::uint64_t bytes = 1;                                      ///< of a transfer
  std::uint64_t count = 100;                                    ///< of concurrent and multicasts
  std::uint64_t warmup = 200;                                   ///< cycles
  std::uint64_t cycles = 2000;                                  ///< that are measured
  std::uint64_t seed = 1;
  std::map<std::string, std::string> parameters{};  ///< of benches; each gets those that it has
  std::string ccl_yaml{};                           ///< of benches: file of the process groups
  std::chrono::milliseconds host_time_limit = std::chrono::hours(1);  ///< of one run of a bench
  /// Called in another thread, with the workload's name and what was running, when a run takes
  /// longer; it has to end the process. Without it there is no limit.
  std::function<void(const std::string&)> on_host_timeout{};
};

/// Names of workloads of transfers.
[[nodiscard]] std::vector<std::string> workload_names();
/// Names of workloads that a whole machine carries out.
[[nodiscard]] std::vector<std::string> machine_workload_names();

/// The workloads of a name: a synthetic pattern makes one for each load; `all_to_all`, `concurrent`
/// and `multicasts` make one; what ends in .csv or .json is a transfer-trace file. Throws
/// common::BadInput for a name that nothing has, and for a SIP that cannot carry it.
[[nodiscard]] std::vector<CosimWorkload> make_workloads(const std::string& name,
                                                        const topology::SipSpec& sip,
                                                        const WorkloadSettings& settings);

/// The same, and workloads of a whole machine of this topology, which must outlive them: those of
/// machine_workload_names(), and "bench:" with a bench's name for any bench that is linked in.
[[nodiscard]] std::vector<CosimWorkload> make_workloads(const std::string& name,
                                                        const topology::TopologyGraph& graph,
                                                        const WorkloadSettings& settings);

/// Throws common::BadInput for a parameter of `settings` that none of the benches among these
/// workloads has.
void require_used_parameters(const std::vector<std::string>& names,
                             const WorkloadSettings& settings);

}  // namespace kernbench::cosim

#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>

#include "common/outcome.hpp"
#include "model/bench/runner.hpp"
#include "model/components/machine/machine_workload.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::bench {

/// A bench with its second pass, to be carried out by machines with different fabrics. Its
/// operations are its kernel launches, SIP by SIP, then what the host and each PE did, in the order
/// of their programs. The hash is of the numbers of all copies to the host.
class BenchWorkload final : public components::MachineWorkload {
 public:
  /// `bench` and `graph` must outlive it. `parameters` as of RunOptions; throws
  /// std::invalid_argument for those that the bench lacks.
  BenchWorkload(const Bench& bench, const topology::TopologyGraph& graph,
                const std::map<std::string, std::string>& parameters, runtime::CclSource ccl);

  /// As host_time_limit and on_host_timeout of RunOptions, for each run.
  void limit_host_time(std::chrono::milliseconds limit,
                       std::function<void(const std::string&)> on_timeout);

  /// Throws components::WorkloadFailure when the bench does not come to its end, or its numbers
  /// are wrong or not checked, and common::BadInput for what it cannot use.
  [[nodiscard]] components::MachineRun run(
      const components::MachineOptions& options) const override;

  /// All that decides what it does, but for the topology.
  [[nodiscard]] std::string config() const;

 private:
  const Bench& bench_;
  const topology::TopologyGraph& graph_;
  std::map<std::string, std::string> parameters_;
  runtime::CclSource ccl_;
  std::chrono::milliseconds host_time_limit_ = std::chrono::hours(1);
  std::function<void(const std::string&)> on_host_timeout_;
};

}  // namespace kernbench::model::bench

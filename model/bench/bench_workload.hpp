// SPDX-License-Identifier: Apache-2.0
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

/// Runs a bench and verifies its numbers on machines with different fabrics. Its operations are the
/// kernel launches, SIP by SIP, then those of the host and of each PE in program order. The result
/// hash covers the numbers of all copies to the host.
class BenchWorkload final : public components::MachineWorkload {
 public:
  /// `bench` and `graph` must outlive the workload. `parameters` are those of RunOptions. Throws
  /// std::invalid_argument for a parameter that the bench lacks.
  BenchWorkload(const Bench& bench, const topology::TopologyGraph& graph,
                const std::map<std::string, std::string>& parameters, runtime::CclSource ccl);

  /// Sets RunOptions::host_time_limit and on_host_timeout for each run.
  void limit_host_time(std::chrono::milliseconds limit,
                       std::function<void(const std::string&)> on_timeout);

  /// Throws components::WorkloadFailure when the bench does not complete, or its numbers are wrong
  /// or not checked, and common::BadInput for input that it cannot use.
  [[nodiscard]] components::MachineRun run(
      const components::MachineOptions& options) const override;

  /// Returns a text of all settings that determine the run, except the topology.
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

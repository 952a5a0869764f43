// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.hpp"
#include "cli/part_options.hpp"
#include "common/outcome.hpp"
#include "cosim/workload/workloads.hpp"
#include "model/fabric/seam/maze_node_kind.hpp"
#include "sim/fault/fault_spec.hpp"
#include "topology/graph/topology_graph.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cli {

/// The command line of `kernbench cosim`.
struct CosimCommandOptions {
  std::string topology;
  std::vector<std::string> workloads = {"uniform_random"};
  std::string fabric = "all";
  std::string nodes = "maze";
  std::optional<std::uint32_t> failed_node;
  std::string loads = "0.05,0.1,0.3,0.5,0.7,0.9";
  std::string fault;
  std::uint64_t fault_cycles = sim::FaultSpec{}.duration;
  cosim::WorkloadSettings settings;
  double timeout_s = 3600.0;  ///< host time limit of one bench run
  std::vector<std::string> set;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  std::string models;
  std::string model;
  std::string report = "build/reports";
  bool no_checkers = false;
  bool fail_fast = false;
  std::string json;
  std::string html;
  std::string trace;
  std::string trace_window;
  std::string parameters;
  std::string calibrate;
  PartOptions parts;

  /// Returns the file beside which the files of a cluster are.
  [[nodiscard]] std::string job_output() const {
    return !calibrate.empty() ? calibrate : !json.empty() ? json : "cosim";
  }
};

/// Returns the kind of nodes that the command line names. Throws common::BadInput for any other
/// name.
[[nodiscard]] model::fabric::MazeNodeKind nodes_of(const CosimCommandOptions& options);

/// Returns the SIP of a topology with the failed node that the command line names. Throws
/// common::BadInput when the nodes cannot have one, or route in the order of the topology.
[[nodiscard]] topology::SipSpec sip_of(const CosimCommandOptions& options,
                                       const topology::TopologyGraph& graph, bool clocked);

/// Fits the analytic fabric to the cycle reference on `patterns`, or on all patterns if empty.
[[nodiscard]] common::Outcome calibrate_fabric(const CosimCommandOptions& options,
                                               std::vector<std::string> patterns,
                                               const Invocation& invocation);

}  // namespace kernbench::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/options.hpp"
#include "cli/base/report_files.hpp"
#include "cli/farm/part_options.hpp"
#include "common/outcome.hpp"
#include "cosim/run/maze_setup.hpp"
#include "cosim/workload/workloads.hpp"

namespace kernbench::cli {

/// The command line of `kernbench cosim`.
struct CosimCommandOptions : cosim::MazeSetup {
  std::vector<std::string> workloads = {"uniform_random"};
  std::string fabric = "all";
  std::string loads = "0.05,0.1,0.3,0.5,0.7,0.9";
  std::string fault;
  cosim::WorkloadSettings settings;
  double timeout_s = 3600.0;  ///< host time limit of one bench run
  std::vector<std::string> set;
  unsigned jobs = all_processors();
  std::string report = "build/reports";
  bool fail_fast = false;
  ReportFiles files;
  std::string trace;
  std::string trace_window;
  std::string parameters;
  std::string calibrate;
  PartOptions parts;

  /// Returns the file beside which the files of a cluster are.
  [[nodiscard]] std::string job_output() const {
    return !calibrate.empty() ? calibrate : !files.json.empty() ? files.json : "cosim";
  }
};

/// Fits the analytic fabric to the cycle reference on `patterns`, or on all patterns if empty.
[[nodiscard]] common::Outcome calibrate_fabric(const CosimCommandOptions& options,
                                               std::vector<std::string> patterns,
                                               const Invocation& invocation);

}  // namespace kernbench::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/bench/launch_figures.hpp"
#include "model/bench/launch_roofline.hpp"
#include "model/bench/part_use.hpp"
#include "model/bench/runner.hpp"
#include "model/trace/critical_path.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::report {

/// Where the time of a measured region went, or that of a run without regions.
struct Explanation {
  std::string of;  ///< "region 'gemm'" or "the run"
  trace::CriticalPath path;
  bench::StretchUse use;
};

/// Why a run took as long as it did.
struct RunExplanation {
  std::vector<Explanation> stretches;
  std::vector<bench::LaunchRoofline> rooflines;  ///< by launch
};

/// Returns the explanation of a run with `explain`.
[[nodiscard]] RunExplanation explain_run(const topology::TopologyGraph& graph,
                                         const bench::RunResult& result,
                                         const std::vector<bench::LaunchFigures>& figures);

}  // namespace kernbench::model::report

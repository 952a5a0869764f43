// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/bench/launch_roofline.hpp"
#include "model/bench/part_use.hpp"
#include "model/bench/runner.hpp"
#include "model/trace/critical_path.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::cli {

/// Where the time of a measured region went, or that of a run without regions.
struct Explanation {
  std::string of;  ///< "region 'gemm'" or "the run"
  model::trace::CriticalPath path;
  model::bench::StretchUse use;
};

/// Why a run took as long as it did.
struct RunExplanation {
  std::vector<Explanation> stretches;
  std::vector<model::bench::LaunchRoofline> rooflines;  ///< by launch
};

/// Returns the explanation of a run with `explain`.
[[nodiscard]] RunExplanation explain_run(const topology::TopologyGraph& graph,
                                         const model::bench::RunResult& result,
                                         const std::vector<model::bench::LaunchFigures>& figures);

/// Prints the critical path of each stretch, its parts by component, operation, PE and link, how
/// busy parts were, and the launches on their rooflines.
void print_explanations(const topology::TopologyGraph& graph, const model::bench::RunResult& result,
                        const RunExplanation& why);

/// Returns the paths and uses for the report of `kernbench run`.
[[nodiscard]] nlohmann::json json_of_explanations(const topology::TopologyGraph& graph,
                                                  const RunExplanation& why);
/// Returns the outlines of the blocks of a SIP for the report, on which links can be drawn.
[[nodiscard]] nlohmann::json json_of_sip(const topology::TopologyGraph& graph);
/// Returns the rooflines for the report, by launch.
[[nodiscard]] nlohmann::json json_of_rooflines(const RunExplanation& why);

}  // namespace kernbench::cli

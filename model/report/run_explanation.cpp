// SPDX-License-Identifier: Apache-2.0
#include "model/report/run_explanation.hpp"

#include <utility>

namespace kernbench::model::report {

RunExplanation explain_run(const topology::TopologyGraph& graph, const bench::RunResult& result,
                           const std::vector<bench::LaunchFigures>& figures) {
  RunExplanation why;
  std::vector<bench::StretchUse> uses = bench::part_uses(result, graph);
  auto use = uses.begin();
  for (auto& [what, path] : bench::explain(result)) {
    why.stretches.push_back({what, std::move(path), std::move(*use++)});
  }
  why.rooflines = launch_rooflines(result, figures, graph.spec());
  return why;
}

}  // namespace kernbench::model::report

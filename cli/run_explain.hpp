// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/bench/runner.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::cli {

/// Prints the critical path of each measured region: its parts by component, operation, PE and
/// link.
void print_explanations(const topology::TopologyGraph& graph,
                        const model::bench::RunResult& result);

/// Returns the same for the report of `kernbench run`.
[[nodiscard]] nlohmann::json json_of_explanations(const topology::TopologyGraph& graph,
                                                  const model::bench::RunResult& result);

/// A question for `--what-if`, and its answer.
struct WhatIf {
  std::string text;                      ///< as the user wrote it
  const topology::TopologyGraph* after;  ///< the changed system
  /// The run on the changed system, with `--confirm`.
  const model::bench::RunResult* confirmed = nullptr;
};

/// Prints the predicted time of each region on the changed system, and the simulated one.
void print_what_if(const topology::TopologyGraph& graph, const model::bench::RunResult& result,
                   const WhatIf& question);
[[nodiscard]] nlohmann::json json_of_what_if(const topology::TopologyGraph& graph,
                                             const model::bench::RunResult& result,
                                             const WhatIf& question);

}  // namespace kernbench::cli

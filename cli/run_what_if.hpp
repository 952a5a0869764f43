// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_explain.hpp"
#include "model/bench/runner.hpp"
#include "model/bench/spread.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::cli {

/// Returns the system of `--what-if`. Throws std::invalid_argument if the changes are wrong, or
/// change more than speeds.
[[nodiscard]] topology::TopologyGraph changed_graph(const topology::TopologyGraph& graph,
                                                    const std::string& changes);

/// A question for `--what-if`.
struct WhatIf {
  std::string text;                      ///< as the user wrote it
  const topology::TopologyGraph* after;  ///< the changed system; null without a question
  /// The run on the changed system; null without `--confirm`.
  const model::bench::RunResult* confirmed = nullptr;
  /// Times of both systems over runs with other starts; null without `--spread`, and the second
  /// also without `--confirm`.
  const model::bench::Spread* spread = nullptr;
  const model::bench::Spread* changed_spread = nullptr;
};

/// Prints the predicted time of each region on the changed system, and the simulated one.
void print_what_if(const topology::TopologyGraph& graph, const RunExplanation& why,
                   const WhatIf& question);

/// Returns the same for the report of `kernbench run`.
[[nodiscard]] nlohmann::json json_of_what_if(const topology::TopologyGraph& graph,
                                             const RunExplanation& why, const WhatIf& question);

}  // namespace kernbench::cli

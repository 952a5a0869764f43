// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

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

}  // namespace kernbench::cli

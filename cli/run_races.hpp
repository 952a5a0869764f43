// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/bench/registry.hpp"
#include "model/bench/runner.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::cli {

/// Prints the races of a run: their number to stdout, the first ten to stderr.
void print_races(const model::bench::Bench& bench, const topology::TopologyGraph& graph,
                 const model::bench::RunResult& result);

/// Returns the same for the report.
[[nodiscard]] nlohmann::json json_of_races(const topology::TopologyGraph& graph,
                                           const model::bench::RunResult& result);

}  // namespace kernbench::cli

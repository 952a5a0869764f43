// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/run_explain.hpp"
#include "common/report_envelope.hpp"
#include "model/bench/runner.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::cli {

/// Returns the HTML page of a run: its critical paths as bars, over time and on pictures of the
/// SIPs, and tables. `report` is that of the run, its `data` unused.
[[nodiscard]] std::string run_page(const common::ReportEnvelope& report,
                                   const model::bench::Bench& bench,
                                   const topology::TopologyGraph& graph,
                                   const model::bench::RunResult& result,
                                   const RunExplanation& why);

}  // namespace kernbench::cli

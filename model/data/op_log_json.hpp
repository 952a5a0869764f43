// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "model/data/op_log.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::data {

/// Writes the log as JSON, {"records": [...], "stages": [...]}, one line per record and stage.
/// docs/data.md lists the fields. `graph` is the topology of the run. The JSON is streamed, so logs
/// may have any length.
void write_op_log_json(const OpLog& log, const topology::TopologyGraph& graph, std::ostream& out);

}  // namespace kernbench::model::data

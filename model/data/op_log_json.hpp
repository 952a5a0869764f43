#pragma once

#include <ostream>

#include "model/data/op_log.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::data {

/// The log as JSON, {"records": [...], "stages": [...]}, with a line for each record and stage, so
/// that logs of any length can be written. docs/data.md has the fields. `graph` is the one of the
/// run.
void write_op_log_json(const OpLog& log, const topology::TopologyGraph& graph, std::ostream& out);

}  // namespace kernbench::model::data

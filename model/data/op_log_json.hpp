// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "common/report_envelope.hpp"
#include "model/data/op_log.hpp"
#include "plot/report_kind.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::data {

/// The log of the operations of a run (docs/kernels.md).
extern const plot::ReportKind kOpLogReport;

/// Writes this report, a record or stage at a time. `graph` is the topology of the run. Outcome,
/// hash, revision and command are those of `report`, whose kind is "op-log".
void write_op_log(const OpLog& log, const topology::TopologyGraph& graph,
                  const common::ReportEnvelope& report, std::ostream& out);

}  // namespace kernbench::model::data

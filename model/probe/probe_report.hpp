// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "model/probe/invariants.hpp"
#include "model/probe/probe.hpp"
#include "plot/report_kind.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::probe {

/// A case with its results: first at the size of the summary, then by size.
struct ProbeRow {
  Family family = Family::PeDma;
  std::string label;
  std::vector<std::string> path;  ///< names of the nodes of the route
  std::vector<ProbeResult> results;
};

/// The data of the report of `kernbench probe`.
struct ProbeReport {
  std::vector<ProbeRow> cases;
  std::size_t pairs = 0;            ///< pairs of results compared with each other
  std::vector<std::string> broken;  ///< invariants
};

/// Returns the report of probe_cases() and of the results of run_probes() at one size and at all.
[[nodiscard]] ProbeReport report_of(const topology::TopologyGraph& graph,
                                    const std::vector<ProbeCase>& cases,
                                    const std::vector<std::vector<ProbeResult>>& summary,
                                    const std::vector<std::vector<ProbeResult>>& by_size,
                                    const InvariantReport& held);

/// The report.
extern const plot::ReportKind kProbeReport;

}  // namespace kernbench::model::probe

template <>
const kernbench::common::Description<kernbench::model::probe::ProbeReport>&
kernbench::common::description_of();

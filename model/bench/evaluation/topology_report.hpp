// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/archive.hpp"
#include "common/described.hpp"
#include "model/bench/evaluation/topology_sweep.hpp"
#include "plot/report_kind.hpp"

namespace kernbench::model::bench {

/// The report of a comparison of networks, whose data are a TopologyEvaluation.
extern const plot::ReportKind kTopologyReport;

}  // namespace kernbench::model::bench

template <>
const kernbench::common::Description<kernbench::model::bench::TopologyPoint>&
kernbench::common::description_of();
template <>
const kernbench::common::Description<kernbench::model::bench::TopologyEvaluation>&
kernbench::common::description_of();
template <>
inline constexpr bool
    kernbench::common::kArchivedByDescription<kernbench::model::bench::TopologyPoint> = true;

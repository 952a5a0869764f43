// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/described.hpp"
#include "common/grade.hpp"
#include "model/chakra/replay.hpp"
#include "model/chakra/trace.hpp"
#include "plot/report_kind.hpp"

namespace kernbench::model::chakra {

/// The data of the report of `kernbench replay`. The traces and the result must outlive it.
struct ReplayReport {
  std::string prefix;
  std::string compute;  ///< "recorded" or "ops"
  bool reuse = true;
  const TraceSet& traces;
  const ReplayResult& result;
};

/// The report.
extern const plot::ReportKind kReplayReport;

/// Returns how exact the times of a replay are. Recorded durations are the input and count as
/// exact.
[[nodiscard]] common::Grade grade_of(const topology::TopologySpec& spec,
                                     const ReplayResult& result);

}  // namespace kernbench::model::chakra

template <>
const kernbench::common::Description<kernbench::model::chakra::ReplayReport>&
kernbench::common::description_of();

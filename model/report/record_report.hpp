// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "model/runtime/session.hpp"
#include "plot/report_kind.hpp"

namespace kernbench::model::report {

/// The data of the report of `kernbench kernel record`. The launches must outlive it.
struct RecordReport {
  std::string bench;
  std::map<std::string, std::string> parameters;
  std::uint32_t cube = 0;
  std::uint32_t pe = 0;
  const std::vector<runtime::RecordedLaunch>& launches;
};

/// The report.
extern const plot::ReportKind kRecordReport;

}  // namespace kernbench::model::report

template <>
const kernbench::common::Description<kernbench::model::report::RecordReport>&
kernbench::common::description_of();

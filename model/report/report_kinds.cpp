// SPDX-License-Identifier: Apache-2.0
#include "model/report/report_kinds.hpp"

#include "common/description.hpp"
#include "model/report/run_report.hpp"

namespace kernbench::model::report {

std::vector<ReportSchema> report_schemas() {
  return {{"run",
           common::report_schema("run", "The report of kernbench run", RunReport::form(), true)}};
}

}  // namespace kernbench::model::report

// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/report_schemas.hpp"

#include "common/description.hpp"
#include "model/report/run_report.hpp"
#include "model/serving/serving_report.hpp"

namespace kernbench::docs {

std::vector<ReportSchema> report_schemas() {
  std::vector<ReportSchema> schemas;
  const auto add = [&](const std::string& kind, const std::string& command,
                       const common::ValueForm& form) {
    schemas.push_back(
        {kind, common::report_schema(kind, "The report of kernbench " + command, form, true)});
  };
  add("run", "run", model::report::RunReport::form());
  add("serving", "serve", model::serving::ServingReport::form());
  return schemas;
}

}  // namespace kernbench::docs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kernbench::docs {

/// The schema of a kind of report that is described (common::Description).
struct ReportSchema {
  std::string kind;
  std::string text;  ///< text of the file schemas/reports/KIND.schema.json
};

/// Returns the schemas that follow from descriptions.
[[nodiscard]] std::vector<ReportSchema> report_schemas();

}  // namespace kernbench::docs

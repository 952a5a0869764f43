// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/report_schemas.hpp"

#include "cli/report_kinds.hpp"

namespace kernbench::docs {

std::vector<ReportSchema> report_schemas() {
  std::vector<ReportSchema> schemas;
  for (const plot::ReportKind* const kind : cli::report_kinds()) {
    schemas.push_back({std::string(kind->name), plot::schema_of(*kind)});
  }
  return schemas;
}

}  // namespace kernbench::docs

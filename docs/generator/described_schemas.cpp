// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/described_schemas.hpp"

#include <fmt/format.h>

#include "cli/base/input_kinds.hpp"
#include "cli/base/report_kinds.hpp"
#include "common/report_envelope.hpp"

namespace kernbench::docs {

std::vector<DescribedSchema> described_schemas() {
  std::vector<DescribedSchema> schemas = {
      {"envelope.schema.json", common::schema_of(common::kEnvelopeFile)}};
  for (const plot::ReportKind* const kind : cli::report_kinds()) {
    schemas.push_back({fmt::format("reports/{}.schema.json", kind->name), plot::schema_of(*kind)});
  }
  for (const common::InputKind* const kind : cli::input_kinds()) {
    schemas.push_back({fmt::format("inputs/{}.schema.json", kind->name), common::schema_of(*kind)});
  }
  return schemas;
}

}  // namespace kernbench::docs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kernbench::docs {

/// The schema of a format that is described (common::Description).
struct DescribedSchema {
  std::string name;  ///< path of the file in schemas/, such as "reports/run.schema.json"
  std::string text;  ///< text of the file
};

/// Returns the schemas that follow from descriptions.
[[nodiscard]] std::vector<DescribedSchema> described_schemas();

}  // namespace kernbench::docs

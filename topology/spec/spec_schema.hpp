// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kernbench::topology {

/// Returns the JSON Schema (draft 2020-12) of `topology.yaml` for editors: keys, types, ranges,
/// defaults and meanings, from the description that the reader uses. A test compares it with
/// configs/topology.schema.json.
[[nodiscard]] std::string topology_json_schema();

}  // namespace kernbench::topology

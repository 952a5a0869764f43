#pragma once

#include <string>

namespace kernbench::topology {

/// JSON Schema (draft 2020-12) of `topology.yaml` for editors: keys, types, ranges, defaults and
/// meanings, from the description that the reader uses. configs/topology.schema.json holds this
/// text; a test compares the two.
[[nodiscard]] std::string topology_json_schema();

}  // namespace kernbench::topology

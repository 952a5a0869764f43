// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/diagnostics.hpp"
#include "common/key_places.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

/// Reports combinations of keys that cannot work, such as PEs that do not fit the cube or a page
/// larger than an HBM slice. Skips rules whose keys already have errors.
void check_spec_rules(const TopologySpec& spec, const common::KeyPlaces& places,
                      common::Diagnostics& diagnostics);

}  // namespace kernbench::topology

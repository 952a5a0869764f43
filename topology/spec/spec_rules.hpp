#pragma once

#include "common/diagnostics.hpp"
#include "topology/spec/spec_places.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

/// Reports what several keys together make impossible: PEs that do not fit the cube, an HBM slice
/// smaller than a page and the like. A rule whose keys have errors already is left out.
void check_spec_rules(const TopologySpec& spec, const SpecPlaces& places,
                      common::Diagnostics& diagnostics);

}  // namespace kernbench::topology

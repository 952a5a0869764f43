#pragma once

#include "topology/spec/spec_visitor.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

// The one description of `topology.yaml`: which keys there are, where they go, what they may be
// and what they mean. The reader and the JSON Schema walk it; the defaults are the structs'
// initial values. What several keys decide together stands in spec_rules.cpp.

/// Shows `visitor` every key of the file.
void describe(SpecVisitor& visitor, TopologySpec& spec);

/// Shows `visitor` the keys of one item of sip.io_chiplets.
void describe(SpecVisitor& visitor, IoChipletSpec& chiplet);

}  // namespace kernbench::topology

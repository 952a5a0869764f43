// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/spec/spec_visitor.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

// The only description of `topology.yaml`: its keys, where their values are stored, their allowed
// values and meanings. The reader and the JSON Schema both use it. The defaults are the initial
// values of the structs. Rules that involve several keys are in spec_rules.cpp.

/// Passes every key of the file to `visitor`.
void describe(SpecVisitor& visitor, TopologySpec& spec);

/// Passes the keys of one item of sip.io_chiplets to `visitor`.
void describe(SpecVisitor& visitor, IoChipletSpec& chiplet);

}  // namespace kernbench::topology

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/described.hpp"
#include "common/input_kind.hpp"
#include "topology/spec/spec_forward.hpp"

namespace kernbench::topology {

/// `topology.yaml`: its keys, where their values are stored, their allowed values and meanings.
/// Reader, schema and `--what-if` follow from it. The defaults are the initial values of the
/// structs. Rules that involve several keys are in spec_rules.cpp.
extern const common::InputKind kTopologyFile;

}  // namespace kernbench::topology

namespace kernbench::common {

template <>
const Description<topology::TopologySpec>& description_of();

}  // namespace kernbench::common

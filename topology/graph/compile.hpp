// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// Compiles a spec and its cube mesh into the graph, in the six stages of ADR-0053 D1. The spec
/// must have passed the reader; compilation then cannot fail.
[[nodiscard]] TopologyGraph compile_topology(const TopologySpec& spec, const CubeMesh& mesh);

/// Compiles `spec` with the mesh from lay_out_cube_mesh().
[[nodiscard]] TopologyGraph compile_topology(const TopologySpec& spec);

}  // namespace kernbench::topology

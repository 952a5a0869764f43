#pragma once

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// Compiles a spec and the mesh of its cubes into the graph: the six stages of ADR-0053 D1. The
/// spec must have passed the reader; nothing here fails for one that has.
[[nodiscard]] TopologyGraph compile_topology(const TopologySpec& spec, const CubeMesh& mesh);

/// The same with the mesh that lay_out_cube_mesh() gives for the spec's cube.
[[nodiscard]] TopologyGraph compile_topology(const TopologySpec& spec);

}  // namespace kernbench::topology

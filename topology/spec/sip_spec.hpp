// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/spec/noc_spec.hpp"
#include "topology/spec/spec_values.hpp"

namespace kernbench::topology {

// The keys of `topology.yaml` of a SIP; topology_spec.hpp has the units.

struct MazeSpec : FabricSpec {
  std::uint32_t flit_bits = 8;
  DimensionOrder order = DimensionOrder::XY;
  std::optional<std::uint32_t> failed_node = {};  ///< below cube_mesh w * h

  friend bool operator==(const MazeSpec&, const MazeSpec&) = default;
};

struct IoChipletSpec {
  std::string id = "io0";  ///< part of node names: [a-z][a-z0-9_]*, unique, not like "cube3"
  Side side = Side::North;
  double pcie_ep_overhead_ns = 50.0;
  double io_cpu_overhead_ns = 20.0;
  double io_noc_overhead_ns = 2.0;
  double io_ucie_overhead_ns = 4.0;
  double conn_overhead_ns = 1.0;
  LinkSpec pcie_ep_to_io_noc{128.0, 2.0};
  LinkSpec io_cpu_to_io_noc{64.0, 1.0};
  LinkSpec io_noc_to_conn{128.0, 2.0};
  LinkSpec conn_to_io_ucie{128.0, 0.0};
  LinkSpec io_ucie_to_cube{128.0, 1.0};

  friend bool operator==(const IoChipletSpec&, const IoChipletSpec&) = default;
};

struct SipSpec {
  InterCube inter_cube = InterCube::UcieMesh;
  NocTopology noc_topology;       ///< with inter_cube noc; its endpoint i is cube i
  std::uint32_t cube_mesh_w = 4;  ///< 1..16; at least 2 with inter_cube maze
  std::uint32_t cube_mesh_h = 4;
  MazeSpec maze;
  NocSpec noc;
  std::vector<IoChipletSpec> io_chiplets{IoChipletSpec{}};
  double ucie_mesh_distance_mm = 1.0;  ///< links.ucie_mesh.distance_mm: the gap between two cubes

  [[nodiscard]] std::uint32_t cubes() const { return cube_mesh_w * cube_mesh_h; }

  friend bool operator==(const SipSpec&, const SipSpec&) = default;
};

}  // namespace kernbench::topology

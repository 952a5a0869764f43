// SPDX-License-Identifier: Apache-2.0
#include "tests/model/properties/random_system.hpp"

#include "topology/graph/compile.hpp"
#include "topology/mesh/cube_mesh.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::properties {

using common::SimTime;
using components::AccessRequest;
using topology::NodeId;
using topology::NodeKind;
using topology::PhysAddr;
using topology::TopologySpec;

TopologySpec random_spec(common::Rng& random) {
  const auto in = [&random](double low, double high) {
    return low + (high - low) * static_cast<double>(random.below(1U << 20U)) / (1U << 20U);
  };
  const auto from_1_to = [&random](std::uint32_t most) {
    return 1 + static_cast<std::uint32_t>(random.below(most));
  };
  TopologySpec spec;
  spec.system.sips = from_1_to(2);
  spec.system.flit_bytes = random.below(2) == 0 ? 16U << random.below(6) : 15 + from_1_to(500);
  spec.system.request_bytes = from_1_to(64);
  spec.system.wire_ns_per_mm = in(0, 0.1);
  spec.system.host_cpu_overhead_ns = in(0, 10);
  spec.system.switch_overhead_ns = in(0, 100);
  spec.system.host_to_switch = {in(10, 200), in(0, 100)};
  spec.system.switch_to_pcie_ep = {in(10, 200), in(0, 100)};
  spec.sip.cube_mesh_w = from_1_to(3);
  spec.sip.cube_mesh_h = from_1_to(2);
  topology::IoChipletSpec& io = spec.sip.io_chiplets.front();
  io.pcie_ep_overhead_ns = in(0, 50);
  io.io_noc_overhead_ns = in(0, 5);
  io.io_noc_to_conn.bw_gbs = in(10, 500);
  io.io_ucie_to_cube.bw_gbs = in(10, 500);

  topology::CubeSpec& cube = spec.cube;
  cube.pe_per_corner = from_1_to(2);
  const std::uint64_t corners = random.below(4);
  if (corners == 0) cube.corners = {topology::Corner::NW, topology::Corner::SE};
  if (corners == 1) cube.corners = {static_cast<topology::Corner>(random.below(4))};
  cube.w_mm = in(12, 18);
  cube.h_mm = in(10, 16);
  cube.m_cpu_pos = {in(0, 10), in(0, 10)};
  cube.sram_pos = {in(0, 10), in(0, 10)};
  cube.ucie_n_connections = from_1_to(4);
  cube.ucie_phy_overhead_ns = in(0, 5);
  cube.router_overhead_ns = in(0, 3);
  cube.sram_overhead_ns = in(0, 10);
  cube.sram_bw_gbs = in(10, 500);
  cube.hbm_ctrl_overhead_ns = in(0, 50);
  cube.links.router_mesh_bw_gbs = in(10, 500);
  cube.links.router_to_hbm = {in(10, 500), in(0, 1)};
  cube.links.router_to_sram_bw_gbs = in(10, 500);
  cube.links.pe_to_router = {in(10, 500), in(0, 1)};
  cube.links.ucie_conn.bw_gbs = in(10, 500);
  cube.memory_map.slices_per_cube = cube.pes();
  cube.memory_map.hbm_total_bw_gbs = in(100, 4000);
  cube.memory_map.channels_per_slice = from_1_to(16);
  cube.memory_map.hbm_interleave =
      random.below(4) == 0 ? topology::HbmInterleave::Modulo : topology::HbmInterleave::Hash;
  spec.pe.pe_dma_overhead_ns = in(0, 5);
  spec.pe.pe_mmu_tlb_overhead_ns = in(0, 5);
  spec.pe.pe_tcm_overhead_ns = in(0, 5);
  spec.pe.pe_tcm_read_bw_gbs = in(10, 500);
  spec.pe.pe_tcm_write_bw_gbs = in(10, 500);
  spec.pe.pe_internal = {in(10, 500), in(0, 1)};
  return spec;
}

namespace {

TopologySpec spec_of(std::uint64_t seed) {
  common::Rng random = common::Rng::stream(seed, "spec");
  return random_spec(random);
}

}  // namespace

RandomSystem::RandomSystem(std::uint64_t seed) : RandomSystem(seed, spec_of(seed)) {}

RandomSystem::RandomSystem(std::uint64_t seed, const TopologySpec& spec)
    : random_(common::Rng::stream(seed, "traffic")),
      graph_(topology::compile_topology(spec)),
      router_(graph_),
      resolver_(graph_),
      wires_(graph_) {}

RandomSystem::Place RandomSystem::place() {
  return {draw(spec().system.sips), draw(spec().sip.cubes()), draw(spec().cube.pes())};
}

NodeId RandomSystem::memory(Memory kind, const Place& place) const {
  const auto sip = static_cast<std::uint8_t>(place.sip);
  const auto cube = static_cast<std::uint8_t>(place.cube);
  switch (kind) {
    case Memory::Hbm:
      return resolver_.find_hbm_ctrl(sip, cube, place.pe);
    case Memory::Sram:
      return resolver_.resolve(PhysAddr::sram(sip, cube, 0));
    case Memory::Tcm:
      break;
  }
  return resolver_.find_pe_part(place.sip, place.cube, place.pe, NodeKind::PeTcm);
}

AccessRequest RandomSystem::host_access() {
  AccessRequest request;
  request.write = random_.below(2) == 0;
  const NodeId goal = memory(random_.below(4) == 0 ? Memory::Sram : Memory::Hbm, place());
  request.route = router_.find_memory_path(resolver_.find_host_cpu(), goal).edges;
  request.address = random_.below(1U << 20U);
  request.bytes = 1 + random_.below(std::uint64_t{20} * spec().system.flit_bytes);
  return request;
}

TimedAccess RandomSystem::access(std::uint64_t max_flits, SimTime before) {
  TimedAccess access;
  AccessRequest& request = access.request;
  if (random_.below(4) == 0) {
    request = host_access();
  } else {
    const Place from = place();
    const auto kind = static_cast<Memory>(random_.below(8) < 5 ? 0 : 1 + random_.below(2));
    const NodeId dma = resolver_.find_pe_part(from.sip, from.cube, from.pe, NodeKind::PeDma);
    request.write = random_.below(2) == 0;
    request.route = router_.find_path(dma, memory(kind, place())).edges;
    request.address = random_.below(1U << 20U);
    request.source =
        random_.below(2) == 0 ? transport::SourceOverhead::Paid : transport::SourceOverhead::Added;
  }
  request.bytes = 1 + random_.below(max_flits * spec().system.flit_bytes);
  access.at = SimTime::from_ps(
      static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(before.ps()) + 1)));
  return access;
}

std::vector<TimedAccess> RandomSystem::accesses(std::size_t count, std::uint64_t max_flits,
                                                SimTime before) {
  std::vector<TimedAccess> drawn;
  drawn.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    drawn.push_back(access(max_flits, before));
    if (i == 0 || random_.below(3) != 0) continue;
    drawn.back().request.route = drawn[random_.below(i)].request.route;
  }
  return drawn;
}

}  // namespace kernbench::model::properties

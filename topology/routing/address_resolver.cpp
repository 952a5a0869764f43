// SPDX-License-Identifier: Apache-2.0
#include "topology/routing/address_resolver.hpp"

#include <algorithm>

#include "topology/graph/node_names.hpp"
#include "topology/routing/hbm_map.hpp"
#include "topology/routing/node_lookup.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

AddressResolver::AddressResolver(const TopologyGraph& graph) : graph_(graph) {}

NodeId AddressResolver::node(std::string_view name) const {
  return node_named(graph_, name);
}

NodeId AddressResolver::resolve(const PhysAddr& address) const {
  if (address.kind == AddressKind::Hbm) {
    const MemoryMapSpec& memory = graph_.spec().cube.memory_map;
    return find_hbm_ctrl(address.sip, address.cube, hbm_slice_of(memory, address.hbm_offset));
  }
  const std::string cube = node_names::cube(address.sip, address.cube);
  if (address.kind != AddressKind::PeResource) throw RoutingError("unsupported address kind");
  switch (address.unit) {
    case UnitType::Pe:
      return node(node_names::pe_part(node_names::pe(address.sip, address.cube, address.pe),
                                      NodeKind::PeTcm));
    case UnitType::Sram:
      return node(node_names::cube_part(cube, NodeKind::Sram));
    case UnitType::MCpu:
      return node(node_names::cube_part(cube, NodeKind::MCpu));
  }
  throw RoutingError("unsupported unit_type");
}

NodeId AddressResolver::find_m_cpu(std::uint32_t sip, std::uint32_t cube) const {
  return node(node_names::cube_part(node_names::cube(sip, cube), NodeKind::MCpu));
}

NodeId AddressResolver::find_pcie_ep(std::uint32_t sip, std::string_view io_id) const {
  return node(node_names::io_part(node_names::io_chiplet(sip, io_id), NodeKind::PcieEp));
}

NodeId AddressResolver::find_io_cpu(std::uint32_t sip, std::string_view io_id) const {
  return node(node_names::io_part(node_names::io_chiplet(sip, io_id), NodeKind::IoCpu));
}

std::vector<NodeId> AddressResolver::find_io_cpus(std::uint32_t sip) const {
  std::vector<NodeId> found;
  for (const IoChipletSpec& io : graph_.spec().sip.io_chiplets) {
    found.push_back(find_io_cpu(sip, io.id));
  }
  return found;
}

NodeId AddressResolver::find_hbm_ctrl(std::uint32_t sip, std::uint32_t cube,
                                      std::uint32_t slice) const {
  const std::uint32_t pe = graph_.spec().cube.pe_of_slice(slice);
  return node(node_names::hbm_ctrl(node_names::cube(sip, cube), pe));
}

NodeId AddressResolver::find_host_cpu() const {
  return node(node_names::host_cpu());
}

NodeId AddressResolver::find_pe_part(std::uint32_t sip, std::uint32_t cube, std::uint32_t pe,
                                     NodeKind part) const {
  return node(node_names::pe_part(node_names::pe(sip, cube, pe), part));
}

std::vector<NodeId> AddressResolver::find_all_pcie_eps() const {
  std::vector<NodeId> found;
  for (std::uint32_t i = 0; i < graph_.nodes().size(); ++i) {
    if (graph_.nodes()[i].kind == NodeKind::PcieEp) found.emplace_back(i);
  }
  std::sort(found.begin(), found.end(),
            [this](NodeId a, NodeId b) { return graph_.name(a) < graph_.name(b); });
  return found;
}

}  // namespace kernbench::topology

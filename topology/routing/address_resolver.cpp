// SPDX-License-Identifier: Apache-2.0
#include "topology/routing/address_resolver.hpp"

#include <algorithm>

#include "topology/graph/node_names.hpp"
#include "topology/routing/node_lookup.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

AddressResolver::AddressResolver(const TopologyGraph& graph)
    : graph_(graph), hbm_slice_bytes_(graph.spec().cube.memory_map.hbm_slice_bytes()) {}

NodeId AddressResolver::node(std::string_view name) const {
  return node_named(graph_, name);
}

NodeId AddressResolver::resolve(const PhysAddr& address) const {
  const std::string cube = node_names::cube(address.sip, address.cube);
  if (address.kind == AddressKind::Hbm) {
    const std::uint64_t slice = address.hbm_offset / hbm_slice_bytes_;
    return node(node_names::hbm_ctrl(cube, static_cast<std::uint32_t>(slice)));
  }
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

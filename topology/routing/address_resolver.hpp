#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topology/graph/topology_graph.hpp"
#include "topology/routing/phys_addr.hpp"

namespace kernbench::topology {

/// Answers which node an address or a role stands for (ADR-0051 D1), so that nobody else spells
/// node names. Every answer is a node of the graph; otherwise RoutingError is thrown. The graph
/// must outlive it.
class AddressResolver {
 public:
  explicit AddressResolver(const TopologyGraph& graph);

  /// HBM: the controller of the slice that holds the offset. PE resource: the PE's TCM, the
  /// cube's SRAM or its M_CPU.
  [[nodiscard]] NodeId resolve(const PhysAddr& address) const;
  [[nodiscard]] NodeId find_m_cpu(std::uint32_t sip, std::uint32_t cube) const;
  [[nodiscard]] NodeId find_pcie_ep(std::uint32_t sip, std::string_view io_id = "io0") const;
  [[nodiscard]] NodeId find_io_cpu(std::uint32_t sip, std::string_view io_id = "io0") const;
  [[nodiscard]] NodeId find_host_cpu() const;
  [[nodiscard]] NodeId find_pe_part(std::uint32_t sip, std::uint32_t cube, std::uint32_t pe,
                                    NodeKind part) const;
  /// The PCIe endpoints of all SIPs, sorted by name.
  [[nodiscard]] std::vector<NodeId> find_all_pcie_eps() const;

  /// The node of this name. Throws RoutingError when there is none.
  [[nodiscard]] NodeId node(std::string_view name) const;

  /// Bytes of a PE's HBM slice: hbm_total_gb * 2^30 / slices_per_cube.
  [[nodiscard]] std::uint64_t hbm_slice_bytes() const { return hbm_slice_bytes_; }

 private:
  const TopologyGraph& graph_;
  std::uint64_t hbm_slice_bytes_;
};

}  // namespace kernbench::topology

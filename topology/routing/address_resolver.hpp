// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "topology/graph/topology_graph.hpp"
#include "topology/routing/phys_addr.hpp"

namespace kernbench::topology {

/// Maps addresses and roles to nodes (ADR-0051 D1); other code does not build node names. All
/// results are nodes of the graph, which must outlive the resolver. Throws RoutingError otherwise.
class KERNBENCH_API AddressResolver {
 public:
  explicit AddressResolver(const TopologyGraph& graph);

  /// Returns the node of an address. For HBM it is the controller of the slice that holds the
  /// byte; for a PE resource the PE's TCM, the cube's SRAM or its M_CPU.
  [[nodiscard]] NodeId resolve(const PhysAddr& address) const;
  [[nodiscard]] NodeId find_m_cpu(std::uint32_t sip, std::uint32_t cube) const;
  [[nodiscard]] NodeId find_pcie_ep(std::uint32_t sip, std::string_view io_id = "io0") const;
  [[nodiscard]] NodeId find_io_cpu(std::uint32_t sip, std::string_view io_id = "io0") const;
  [[nodiscard]] NodeId find_host_cpu() const;
  [[nodiscard]] NodeId find_pe_part(std::uint32_t sip, std::uint32_t cube, std::uint32_t pe,
                                    NodeKind part) const;
  /// Returns the IO_CPU of each IO chiplet of a SIP, in the order of the spec.
  [[nodiscard]] std::vector<NodeId> find_io_cpus(std::uint32_t sip) const;
  /// Returns the PCIe endpoints of all SIPs, sorted by name.
  [[nodiscard]] std::vector<NodeId> find_all_pcie_eps() const;

  /// Returns the node with this name. Throws RoutingError if there is none.
  [[nodiscard]] NodeId node(std::string_view name) const;

  /// Returns the controller of an HBM slice.
  [[nodiscard]] NodeId find_hbm_ctrl(std::uint32_t sip, std::uint32_t cube,
                                     std::uint32_t slice) const;

 private:
  const TopologyGraph& graph_;
};

}  // namespace kernbench::topology

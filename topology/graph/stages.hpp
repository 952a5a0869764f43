// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "topology/graph/graph_builder.hpp"
#include "topology/graph/sip_frame.hpp"

namespace kernbench::topology {

// The stages of ADR-0053 D1; compile.cpp runs them in order.

/// Nodes of a cube to which later stages connect.
struct CubeNodes {
  std::array<std::optional<NodeId>, 4> ucie_phys;  ///< by Side; empty on sides without a PHY
  std::optional<NodeId> port;                      ///< port of the fabric; absent with a UCIe mesh
};

/// Nodes of an IO chiplet to which later stages connect.
struct IoNodes {
  NodeId pcie_ep;
  std::optional<NodeId> port;  ///< port of the network between SIPs, at the first chiplet of a SIP
  std::vector<NodeId> io_ucies;  ///< by cube along the chiplet's side
};

/// Adds a cube: routers, PEs, m_cpu, sram, hbm_ctrl, UCIe nodes, the port of a fabric, and the
/// edges among them.
CubeNodes instantiate_cube(GraphBuilder& graph, const SipFrame& frame, std::uint32_t sip,
                           std::uint32_t cube);

/// Adds an IO chiplet of a SIP and the edges inside it.
IoNodes instantiate_io_chiplet(GraphBuilder& graph, const SipFrame& frame, std::uint32_t sip,
                               std::size_t chiplet);

/// Returns the opposite side.
[[nodiscard]] Side opposite(Side side);

/// Returns true if `cube` has a UCIe PHY on `side`. With a UCIe mesh all sides have one; with a
/// fabric only sides that face an IO chiplet (DESIGN section 6).
[[nodiscard]] bool has_ucie(const TopologySpec& spec, std::uint32_t cube, Side side);

/// Builders of the view projections (ADR-0053 D6).
[[nodiscard]] View build_system_view(const TopologySpec& spec);
[[nodiscard]] View build_sip_view(const TopologySpec& spec);
[[nodiscard]] View build_cube_view(const TopologySpec& spec, const CubeMesh& mesh);
[[nodiscard]] View build_pe_view(const TopologySpec& spec);

/// Pairs of parts that are connected inside a PE.
inline constexpr std::array<std::array<NodeKind, 2>, 15> kPeInternalPairs = {{
    {NodeKind::PeCpu, NodeKind::PeScheduler},
    {NodeKind::PeCpu, NodeKind::PeIpcq},
    {NodeKind::PeScheduler, NodeKind::PeDma},
    {NodeKind::PeScheduler, NodeKind::PeFetchStore},
    {NodeKind::PeScheduler, NodeKind::PeGemm},
    {NodeKind::PeScheduler, NodeKind::PeMath},
    {NodeKind::PeDma, NodeKind::PeTcm},
    {NodeKind::PeDma, NodeKind::PeFetchStore},
    {NodeKind::PeDma, NodeKind::PeMmu},
    {NodeKind::PeDma, NodeKind::PeIpcq},
    {NodeKind::PeFetchStore, NodeKind::PeTcm},
    {NodeKind::PeFetchStore, NodeKind::PeGemm},
    {NodeKind::PeFetchStore, NodeKind::PeMath},
    {NodeKind::PeGemm, NodeKind::PeMath},
    {NodeKind::PeGemm, NodeKind::PeMmu},
}};

/// Returns the overhead of a PE part from the spec, in ns. Throws std::logic_error for other kinds.
[[nodiscard]] double pe_part_overhead_ns(const PeSpec& pe, NodeKind part);

}  // namespace kernbench::topology

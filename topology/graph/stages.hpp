#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "topology/graph/graph_builder.hpp"
#include "topology/graph/sip_frame.hpp"

namespace kernbench::topology {

// The stages of ADR-0053 D1; compile.cpp puts them in order.

/// Nodes of a cube that stages after it connect to.
struct CubeNodes {
  std::array<std::optional<NodeId>, 4> ucie_phys;  ///< by Side; absent where the cube has none
  std::optional<NodeId> maze;                      ///< with inter_cube maze
};

/// Nodes of an IO chiplet that stages after it connect to.
struct IoNodes {
  NodeId pcie_ep;
  std::vector<NodeId> io_ucies;  ///< by cube along its side
};

/// Routers, PEs, m_cpu, sram, hbm_ctrl, UCIe and MAZE nodes of a cube, and the edges among them.
CubeNodes instantiate_cube(GraphBuilder& graph, const SipFrame& frame, std::uint32_t sip,
                           std::uint32_t cube);

/// One IO chiplet of a SIP and the edges inside it.
IoNodes instantiate_io_chiplet(GraphBuilder& graph, const SipFrame& frame, std::uint32_t sip,
                               std::size_t chiplet);

/// The side that is opposite.
[[nodiscard]] Side opposite(Side side);

/// Whether `cube` has a UCIe PHY on `side`: always with a UCIe mesh; with a MAZE only where it
/// reaches an IO chiplet (DESIGN section 6).
[[nodiscard]] bool has_ucie(const TopologySpec& spec, std::uint32_t cube, Side side);

/// Bandwidth of a MAZE link, 10^9 bytes/s: one flit a clock.
[[nodiscard]] double maze_link_bw_gbs(const MazeSpec& maze);

/// The view projections (ADR-0053 D6).
[[nodiscard]] View build_system_view(const TopologySpec& spec);
[[nodiscard]] View build_sip_view(const TopologySpec& spec);
[[nodiscard]] View build_cube_view(const TopologySpec& spec, const CubeMesh& mesh);
[[nodiscard]] View build_pe_view(const TopologySpec& spec);

/// The pairs of parts that are joined inside a PE.
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

/// What the spec gives a part of a PE as overhead, in ns.
[[nodiscard]] double pe_part_overhead_ns(const PeSpec& pe, NodeKind part);

}  // namespace kernbench::topology

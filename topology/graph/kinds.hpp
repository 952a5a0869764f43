// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "common/api.hpp"

namespace kernbench::topology {

/// Kind of a node in the compiled graph. The component model of the same name simulates it.
enum class NodeKind : std::uint8_t {
  HostCpu,
  Switch,
  PcieEp,
  IoCpu,
  IoNoc,
  IoUcie,
  IoConn,
  Router,
  MCpu,
  Sram,
  HbmCtrl,
  UciePhy,
  UcieConn,
  Maze,
  NocPort,  ///< where a cube or SIP is attached to a network
  Noc,      ///< a router of a network
  PeCpu,
  PeScheduler,
  PeDma,
  PeFetchStore,
  PeGemm,
  PeMath,
  PeTcm,
  PeMmu,
  PeIpcq,
};
inline constexpr std::size_t kNodeKinds = 25;

/// Returns, for example, "hbm_ctrl" or "pe_dma".
[[nodiscard]] KERNBENCH_API std::string_view name(NodeKind kind);

/// The nine sub-components of a PE (ADR-0053 D4), in order of creation.
inline constexpr std::array<NodeKind, 9> kPeParts = {
    NodeKind::PeCpu,        NodeKind::PeScheduler, NodeKind::PeDma,
    NodeKind::PeFetchStore, NodeKind::PeGemm,      NodeKind::PeMath,
    NodeKind::PeTcm,        NodeKind::PeMmu,       NodeKind::PeIpcq};

/// All kinds of edges (DESIGN section 4). routing/adjacency.cpp assigns adjacencies to each kind in
/// a switch without default, so a new kind does not compile until it is listed there.
enum class EdgeKind : std::uint8_t {
  PeInternal,
  PeToRouter,  ///< used in both directions
  RouterMesh,
  RouterToHbm,
  HbmToRouter,
  RouterToMcpu,
  McpuToRouter,
  RouterToSram,
  SramToRouter,
  UcieInternal,
  UcieConnToRouter,
  RouterToUcieConn,
  UcieConnToNoc,
  NocToUcieConn,
  UcieMesh,
  IoInternal,
  IoToCube,
  CubeToIo,
  Pcie,
  Command,
  MazeLink,
  MazeAttach,
  NocLink,  ///< between routers of a network, and between them and ports
  NocAttach,
};
inline constexpr std::size_t kEdgeKinds = 24;

/// Returns, for example, "pe_to_router" or "maze_link".
[[nodiscard]] KERNBENCH_API std::string_view name(EdgeKind kind);

/// Returns the kind of the reverse edge: "hbm_to_router" for "router_to_hbm". Most kinds are their
/// own opposite.
[[nodiscard]] KERNBENCH_API EdgeKind opposite(EdgeKind kind);

/// Returns true for links that a fabric carries: a route takes those between two ports in one hop,
/// as the fabric chooses them.
[[nodiscard]] constexpr bool is_carried(EdgeKind kind) {
  return kind == EdgeKind::MazeLink || kind == EdgeKind::NocLink;
}
/// Returns true for nodes where flits enter and leave a fabric.
[[nodiscard]] constexpr bool is_port(NodeKind kind) {
  return kind == NodeKind::Maze || kind == NodeKind::NocPort;
}

}  // namespace kernbench::topology

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace kernbench::topology {

/// What a node of the compiled graph is; the component model of that name stands for it.
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
inline constexpr std::size_t kNodeKinds = 23;

/// "hbm_ctrl", "pe_dma", ...
[[nodiscard]] std::string_view name(NodeKind kind);

/// The nine sub-components of a PE (ADR-0053 D4), in the order in which they are created.
inline constexpr std::array<NodeKind, 9> kPeParts = {
    NodeKind::PeCpu,        NodeKind::PeScheduler, NodeKind::PeDma,
    NodeKind::PeFetchStore, NodeKind::PeGemm,      NodeKind::PeMath,
    NodeKind::PeTcm,        NodeKind::PeMmu,       NodeKind::PeIpcq};

/// Every kind of edge there is (DESIGN section 4). routing/adjacency.cpp names the adjacencies of
/// each in a switch without default: a new kind does not compile until it has chosen.
enum class EdgeKind : std::uint8_t {
  PeInternal,
  PeToRouter,  ///< both directions
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
};
inline constexpr std::size_t kEdgeKinds = 22;

/// "pe_to_router", "maze_link", ...
[[nodiscard]] std::string_view name(EdgeKind kind);

/// The kind of the edge back: of "router_to_hbm" "hbm_to_router"; most kinds go both ways.
[[nodiscard]] EdgeKind opposite(EdgeKind kind);

}  // namespace kernbench::topology

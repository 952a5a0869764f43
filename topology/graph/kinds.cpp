// SPDX-License-Identifier: Apache-2.0
#include "topology/graph/kinds.hpp"

namespace kernbench::topology {

namespace {

constexpr std::array<std::string_view, kNodeKinds> kNodeKindNames = {
    "host_cpu", "switch", "pcie_ep", "io_cpu",       "io_noc",   "io_ucie",        "conn",
    "router",   "m_cpu",  "sram",    "hbm_ctrl",     "ucie_phy", "ucie_conn",      "maze",
    "noc_port", "noc",    "pe_cpu",  "pe_scheduler", "pe_dma",   "pe_fetch_store", "pe_gemm",
    "pe_math",  "pe_tcm", "pe_mmu",  "pe_ipcq"};

constexpr std::array<std::string_view, kEdgeKinds> kEdgeKindNames = {"pe_internal",
                                                                     "pe_to_router",
                                                                     "router_mesh",
                                                                     "router_to_hbm",
                                                                     "hbm_to_router",
                                                                     "router_to_mcpu",
                                                                     "mcpu_to_router",
                                                                     "router_to_sram",
                                                                     "sram_to_router",
                                                                     "ucie_internal",
                                                                     "ucie_conn_to_router",
                                                                     "router_to_ucie_conn",
                                                                     "ucie_conn_to_noc",
                                                                     "noc_to_ucie_conn",
                                                                     "ucie_mesh",
                                                                     "io_internal",
                                                                     "io_to_cube",
                                                                     "cube_to_io",
                                                                     "pcie",
                                                                     "command",
                                                                     "maze_link",
                                                                     "maze_attach",
                                                                     "noc_link",
                                                                     "noc_attach"};

static_assert(static_cast<std::size_t>(NodeKind::PeIpcq) + 1 == kNodeKinds);
static_assert(static_cast<std::size_t>(EdgeKind::NocAttach) + 1 == kEdgeKinds);

}  // namespace

std::string_view name(NodeKind kind) {
  return kNodeKindNames.at(static_cast<std::size_t>(kind));
}

std::string_view name(EdgeKind kind) {
  return kEdgeKindNames.at(static_cast<std::size_t>(kind));
}

EdgeKind opposite(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::RouterToHbm:
      return EdgeKind::HbmToRouter;
    case EdgeKind::HbmToRouter:
      return EdgeKind::RouterToHbm;
    case EdgeKind::RouterToMcpu:
      return EdgeKind::McpuToRouter;
    case EdgeKind::McpuToRouter:
      return EdgeKind::RouterToMcpu;
    case EdgeKind::RouterToSram:
      return EdgeKind::SramToRouter;
    case EdgeKind::SramToRouter:
      return EdgeKind::RouterToSram;
    case EdgeKind::UcieConnToRouter:
      return EdgeKind::RouterToUcieConn;
    case EdgeKind::RouterToUcieConn:
      return EdgeKind::UcieConnToRouter;
    case EdgeKind::UcieConnToNoc:
      return EdgeKind::NocToUcieConn;
    case EdgeKind::NocToUcieConn:
      return EdgeKind::UcieConnToNoc;
    case EdgeKind::IoToCube:
      return EdgeKind::CubeToIo;
    case EdgeKind::CubeToIo:
      return EdgeKind::IoToCube;
    default:
      return kind;
  }
}

}  // namespace kernbench::topology

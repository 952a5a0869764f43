// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "topology/graph/node_names.hpp"
#include "topology/graph/stages.hpp"
#include "topology/spec/length.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

namespace {

constexpr std::array<Side, 4> kSides = {Side::North, Side::East, Side::South, Side::West};

PositionMm moved(PositionMm from, Side towards, double mm) {
  switch (towards) {
    case Side::North:
      return {from.x, from.y - mm};
    case Side::East:
      return {from.x + mm, from.y};
    case Side::South:
      return {from.x, from.y + mm};
    case Side::West:
      return {from.x - mm, from.y};
  }
  return from;
}

/// Builds one cube.
class CubeStage {
 public:
  CubeStage(GraphBuilder& graph, const SipFrame& frame, std::uint32_t sip, std::uint32_t cube)
      : graph_(graph),
        spec_(graph.spec()),
        mesh_(graph.mesh()),
        origin_(frame.cube_origin(cube)),
        prefix_(node_names::cube(sip, cube)),
        sip_(sip),
        cube_(cube) {}

  CubeNodes run() {
    add_routers();
    for (std::uint32_t pe = 0; pe < mesh_.pe_routers.size(); ++pe) add_pe(pe);
    add_m_cpu();
    add_sram();
    for (std::uint32_t slice = 0; slice < spec_.cube.slices(); ++slice) {
      add_hbm_ctrl(spec_.cube.pe_of_slice(slice));
    }
    CubeNodes nodes;
    for (const Side side : kSides) {
      if (!has_ucie(spec_, cube_, side)) continue;
      nodes.ucie_phys.at(static_cast<std::size_t>(side)) = add_ucie(side);
    }
    if (spec_.sip.inter_cube == InterCube::Maze) {
      nodes.port = add_port(NodeKind::Maze, EdgeKind::MazeAttach, spec_.sip.maze);
    } else if (spec_.sip.inter_cube == InterCube::Noc) {
      nodes.port = add_port(NodeKind::NocPort, EdgeKind::NocAttach, spec_.sip.noc);
    }
    return nodes;
  }

 private:
  /// Makes a node of this cube; `position` is relative to the cube's corner.
  [[nodiscard]] Node node_at(NodeKind kind, PositionMm position,
                             std::uint32_t pe = kNoIndex) const {
    Node node;
    node.kind = kind;
    node.position = {origin_.x + position.x, origin_.y + position.y};
    node.sip = static_cast<std::uint16_t>(sip_);
    node.cube = static_cast<std::uint16_t>(cube_);
    node.pe = static_cast<std::uint16_t>(pe);
    return node;
  }

  [[nodiscard]] NodeId router(GridSlot slot) const {
    return routers_[slot.row * mesh_.columns() + slot.column];
  }

  void add_routers() {
    routers_.resize(std::size_t{mesh_.rows()} * mesh_.columns());
    for (std::uint32_t row = 0; row < mesh_.rows(); ++row) {
      for (std::uint32_t column = 0; column < mesh_.columns(); ++column) {
        const GridSlot slot{row, column};
        if (!mesh_.has_router(slot)) continue;
        routers_[row * mesh_.columns() + column] =
            graph_.add_node(node_names::router(prefix_, slot), spec_.cube.router_overhead_ns,
                            node_at(NodeKind::Router, mesh_.position(slot)));
      }
    }
    // Row-major, E and W before N and S: the creation order breaks ties between routes of equal
    // length.
    for (std::uint32_t row = 0; row < mesh_.rows(); ++row) {
      for (std::uint32_t column = 0; column < mesh_.columns(); ++column) {
        if (mesh_.has_router({row, column})) add_mesh_edges({row, column});
      }
    }
  }

  void add_mesh_edges(GridSlot from) {
    const bool last_column = from.column + 1 == mesh_.columns();
    const bool last_row = from.row + 1 == mesh_.rows();
    if (!last_column) add_mesh_edge(from, {from.row, from.column + 1});
    if (from.column != 0) add_mesh_edge(from, {from.row, from.column - 1});
    if (from.row != 0) add_mesh_edge(from, {from.row - 1, from.column});
    if (!last_row) add_mesh_edge(from, {from.row + 1, from.column});
  }

  void add_mesh_edge(GridSlot from, GridSlot to) {
    if (!mesh_.has_router(to)) return;
    graph_.add_mesh_edge(
        router(from), router(to),
        wire_between(mesh_.position(from), mesh_.position(to), spec_.cube.links.router_mesh_bw_gbs),
        from.column == to.column);
  }

  void add_pe(std::uint32_t pe) {
    const std::string prefix = node_names::pe(sip_, cube_, pe);
    std::array<NodeId, kNodeKinds> parts;
    const auto part = [&parts](NodeKind kind) { return parts.at(static_cast<std::size_t>(kind)); };
    for (const NodeKind kind : kPeParts) {
      parts.at(static_cast<std::size_t>(kind)) =
          graph_.add_node(node_names::pe_part(prefix, kind), pe_part_overhead_ns(spec_.pe, kind),
                          node_at(kind, mesh_.pe_centers[pe], pe));
    }
    const Wire internal = wire(spec_.pe.pe_internal);
    for (const auto& [a, b] : kPeInternalPairs) {
      graph_.add_pair(part(a), part(b), EdgeKind::PeInternal, internal);
    }
    const NodeId router_node = router(mesh_.pe_routers[pe]);
    graph_.add_pair(part(NodeKind::PeDma), router_node, EdgeKind::PeToRouter,
                    wire(spec_.cube.links.pe_to_router));
    const Wire command = wire(spec_.cube.links.command);
    graph_.add_pair(part(NodeKind::PeCpu), router_node, EdgeKind::Command, command);
    graph_.add_pair(part(NodeKind::PeMmu), router_node, EdgeKind::Command, command);
  }

  void add_m_cpu() {
    const NodeId m_cpu = graph_.add_node(node_names::cube_part(prefix_, NodeKind::MCpu),
                                         spec_.cube.m_cpu_overhead_ns,
                                         node_at(NodeKind::MCpu, spec_.cube.m_cpu_pos));
    const NodeId router_node = router(mesh_.m_cpu_router);
    graph_.add_pair(router_node, m_cpu, EdgeKind::RouterToMcpu, EdgeKind::McpuToRouter,
                    wire_between(spec_.cube.m_cpu_pos, mesh_.position(mesh_.m_cpu_router),
                                 spec_.cube.links.router_to_mcpu_bw_gbs));
    graph_.add_pair(m_cpu, router_node, EdgeKind::Command, wire(spec_.cube.links.command));
  }

  void add_sram() {
    const NodeId sram =
        graph_.add_node(node_names::cube_part(prefix_, NodeKind::Sram), spec_.cube.sram_overhead_ns,
                        node_at(NodeKind::Sram, spec_.cube.sram_pos));
    graph_.add_pair(router(mesh_.sram_router), sram, EdgeKind::RouterToSram, EdgeKind::SramToRouter,
                    wire_between(spec_.cube.sram_pos, mesh_.position(mesh_.sram_router),
                                 spec_.cube.links.router_to_sram_bw_gbs));
  }

  /// Places the controller of a slice next to the PE's router, on the side of the HBM.
  void add_hbm_ctrl(std::uint32_t pe) {
    const GridSlot slot = mesh_.pe_routers[pe];
    const LinkSpec& link = spec_.cube.links.router_to_hbm;
    const Side inwards = slot.row < mesh_.hbm_first.row ? Side::South : Side::North;
    const NodeId hbm = graph_.add_node(
        node_names::hbm_ctrl(prefix_, pe), spec_.cube.hbm_ctrl_overhead_ns,
        node_at(NodeKind::HbmCtrl, moved(mesh_.position(slot), inwards, link.distance_mm), pe));
    graph_.add_pair(router(slot), hbm, EdgeKind::RouterToHbm, EdgeKind::HbmToRouter, wire(link));
  }

  NodeId add_ucie(Side side) {
    const double w = spec_.cube.w_mm;
    const double h = spec_.cube.h_mm;
    const bool vertical = side == Side::North || side == Side::South;
    const PositionMm middle = moved({w / 2, h / 2}, side, vertical ? h / 2 : w / 2);
    const NodeId phy =
        graph_.add_node(node_names::ucie_phy(prefix_, side), spec_.cube.ucie_phy_overhead_ns,
                        node_at(NodeKind::UciePhy, middle));
    // Zero physical length, but a routing weight that keeps routes within a cube from using a PHY
    // as a shortcut.
    Wire internal = wire(spec_.cube.links.ucie_internal);
    internal.routing_weight_nm = to_nm(w) + to_nm(h);
    const Wire to_router = wire(spec_.cube.links.ucie_conn);
    const std::vector<GridSlot>& slots = mesh_.ucie_routers.at(static_cast<std::size_t>(side));
    for (std::uint32_t i = 0; i < slots.size(); ++i) {
      Node connection = node_at(NodeKind::UcieConn, moved(mesh_.position(slots[i]), side,
                                                          spec_.cube.links.ucie_conn.distance_mm));
      connection.lane = static_cast<std::uint8_t>(i);
      const NodeId conn = graph_.add_node(node_names::ucie_conn(prefix_, side, i),
                                          spec_.cube.ucie_conn_overhead_ns, connection);
      graph_.add_connection_edges(router(slots[i]), conn, to_router, vertical);
      graph_.add_pair(conn, phy, EdgeKind::UcieInternal, internal);
    }
    return phy;
  }

  /// Places the port of the fabric between cubes at the west edge and attaches it to the west
  /// column (DESIGN section 6).
  NodeId add_port(NodeKind kind, EdgeKind attach_kind, const FabricSpec& fabric) {
    const LinkSpec link{fabric.attach_bw_gbs, fabric.attach_distance_mm};
    const PositionMm position{std::max(mesh_.column_xs_mm.front() - link.distance_mm, 0.0),
                              spec_.cube.h_mm / 2};
    const NodeId port =
        graph_.add_node(node_names::cube_part(prefix_, kind), 0.0, node_at(kind, position));
    // Like a PHY, the port must not be a shortcut for routes within a cube.
    Wire attach = wire(link);
    attach.routing_weight_nm = to_nm(spec_.cube.w_mm) + to_nm(spec_.cube.h_mm);
    for (const std::uint32_t row : mesh_.ucie_pe_rows) {
      graph_.add_pair(router({row, 0}), port, attach_kind, attach);
    }
    return port;
  }

  GraphBuilder& graph_;
  const TopologySpec& spec_;
  const CubeMesh& mesh_;
  PositionMm origin_;
  std::string prefix_;
  std::uint32_t sip_;
  std::uint32_t cube_;
  std::vector<NodeId> routers_;  ///< by slot, row-major; slots of the HBM zone stay unused
};

}  // namespace

double pe_part_overhead_ns(const PeSpec& pe, NodeKind part) {
  switch (part) {
    case NodeKind::PeCpu:
      return pe.pe_cpu_overhead_ns;
    case NodeKind::PeScheduler:
      return pe.pe_scheduler_overhead_ns;
    case NodeKind::PeDma:
      return pe.pe_dma_overhead_ns;
    case NodeKind::PeFetchStore:
      return pe.pe_fetch_store_overhead_ns;
    case NodeKind::PeGemm:
      return pe.pe_gemm_overhead_ns;
    case NodeKind::PeMath:
      return pe.pe_math_overhead_ns;
    case NodeKind::PeTcm:
      return pe.pe_tcm_overhead_ns;
    case NodeKind::PeMmu:
      return pe.pe_mmu_overhead_ns;
    case NodeKind::PeIpcq:
      return pe.pe_ipcq_overhead_ns;
    default:
      throw std::logic_error("not a part of a PE");
  }
}

bool has_ucie(const TopologySpec& spec, std::uint32_t cube, Side side) {
  if (spec.sip.inter_cube == InterCube::UcieMesh) return true;
  const SipFrame frame(spec);
  return std::any_of(spec.sip.io_chiplets.begin(), spec.sip.io_chiplets.end(),
                     [&](const IoChipletSpec& io) {
                       if (io.side != side) return false;
                       for (std::uint32_t i = 0; i < frame.cubes_along(side); ++i) {
                         if (frame.cube_along(side, i) == cube) return true;
                       }
                       return false;
                     });
}

CubeNodes instantiate_cube(GraphBuilder& graph, const SipFrame& frame, std::uint32_t sip,
                           std::uint32_t cube) {
  return CubeStage(graph, frame, sip, cube).run();
}

}  // namespace kernbench::topology

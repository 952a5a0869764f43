// SPDX-License-Identifier: Apache-2.0
#include "topology/diagram/view_style.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plot/style.hpp"
#include "plot/svg_canvas.hpp"
#include "plot/text_width.hpp"

namespace kernbench::topology {

namespace {

// Fills are from Paul Tol's pale scheme, under dark text; lines are from his muted and bright
// schemes. Dark screens get the same hues with dark fills and light lines. Readers with any colour
// vision tell them apart, and colour is never the only sign: nodes carry their names, control lines
// are dashed, MAZE depths differ in dashes.
constexpr std::string_view kStyleSheet = R"css(
text { font-size: 11px; }
text.small { font-size: 10px; }
text.block { font-size: 12px; }
.frame { fill: #fbfcfd; stroke: #9aa5b1; stroke-width: 1.2; }
.area { stroke: var(--soft); stroke-width: 1.1; fill: #f0f4f8; }
.area.sip { fill: #e4ecf5; }
.area.cube { fill: #eaf1f8; }
.area.hbm { fill: #e9f1dc; stroke: #7c8f52; stroke-dasharray: 5 3; }
.area.io { fill: #f6f3ea; stroke: #b3a77d; stroke-dasharray: 5 3; }
.node rect, rect.node { fill: #ffffff; stroke: #3e4c59; stroke-width: 1.1; }
.node.router rect, rect.router { fill: #ffffff; stroke: #4477aa; }
.node.pe rect, rect.pe { fill: #bbccee; stroke: #33507f; }
.node.pe_cpu rect, rect.pe_cpu, .node.io_cpu rect, rect.io_cpu, .node.m_cpu rect, rect.m_cpu,
.node.host_cpu rect, rect.host_cpu, .node.pe_scheduler rect, rect.pe_scheduler { fill: #e6d3e8; stroke: #7a3a7f; }
.node.sram rect, rect.sram, .node.pe_tcm rect, rect.pe_tcm { fill: #eeeebb; stroke: #7d7a2a; }
.node.hbm_ctrl rect, rect.hbm_ctrl { fill: #ccddaa; stroke: #5c7330; }
.node.pe_gemm rect, rect.pe_gemm, .node.pe_math rect, rect.pe_math { fill: #bbccee; stroke: #33507f; }
.node.pe_dma rect, rect.pe_dma, .node.pe_fetch_store rect, rect.pe_fetch_store,
.node.pe_ipcq rect, rect.pe_ipcq, .node.pe_mmu rect, rect.pe_mmu { fill: #cceeff; stroke: #35728c; }
.node.ucie_phy rect, rect.ucie_phy, .node.io_ucie rect, rect.io_ucie { fill: #f5cfa8; stroke: #96591b; }
.node.ucie_conn rect, rect.ucie_conn, .node.conn rect, rect.conn { fill: #fdeedd; stroke: #b07a44; }
.node.switch rect, rect.switch, .node.pcie_ep rect, rect.pcie_ep { fill: #ffcccc; stroke: #95394a; }
.node.io_noc rect, rect.io_noc { fill: #ffffff; stroke: #4477aa; }
.node.maze rect, rect.maze, circle.maze, .node.noc_port rect, rect.noc_port { fill: #1d3d63; stroke: #ffffff; stroke-width: 0.8; }
.node.maze text, .node.noc_port text { fill: #ffffff; }
.node.noc rect, rect.noc { fill: #d6e6f7; stroke: #1d3d63; }
.anchor { fill: var(--ink); }
.leader { stroke: #7b8794; stroke-width: 0.9; stroke-dasharray: 1.5 2; fill: none; }
.edge { fill: none; stroke: var(--soft); stroke-width: 1.4; }
.edge.router_mesh { stroke: #4477aa; stroke-width: 1.8; }
.edge.pe_to_router { stroke: #33507f; }
.edge.pe_internal { stroke: #4477aa; stroke-width: 1.6; }
.edge.router_to_hbm, .edge.hbm_to_router { stroke: #5c8a2d; stroke-width: 1.1; }
.edge.router_to_mcpu, .edge.mcpu_to_router { stroke: #7a3a7f; }
.edge.router_to_sram, .edge.sram_to_router { stroke: #8f8a1f; }
.edge.ucie_internal, .edge.ucie_conn_to_router, .edge.router_to_ucie_conn, .edge.ucie_conn_to_noc,
.edge.noc_to_ucie_conn { stroke: #c0792f; stroke-width: 1.1; }
.edge.ucie_mesh { stroke: #c0792f; stroke-width: 4; }
.edge.io_internal { stroke: var(--soft); }
.edge.io_to_cube, .edge.cube_to_io { stroke: #c0792f; stroke-width: 2; }
.edge.pcie { stroke: #95394a; stroke-width: 2; }
.edge.command { stroke: #9b3f9f; stroke-width: 1.2; stroke-dasharray: 4 3; }
.edge.maze_attach, .edge.noc_attach { stroke: #1d3d63; stroke-width: 1.1; }
.edge.noc_link { stroke: #0077bb; stroke-width: 1.6; }
.edge.maze_link { stroke-width: 1.1; }
.edge.depth0 { stroke: #1d3d63; stroke-width: 1.6; }
.edge.depth1 { stroke: #0077bb; }
.edge.depth2 { stroke: #b8651b; stroke-dasharray: 6 2; }
.edge.depth3 { stroke: #aa3377; stroke-dasharray: 2 2; }
.edge.depth4 { stroke: #228833; stroke-dasharray: 8 2 2 2; }
.edge.depth5 { stroke: #7b8794; stroke-dasharray: 10 4; }
.edge.depth6 { stroke: #8f8a1f; stroke-dasharray: 1 2; }
.edge.depth7 { stroke: #6a51a3; stroke-dasharray: 4 4; }
.arrow { stroke: none; fill: var(--ink); }
g.link:hover .edge, .edge:hover { stroke-width: 4; }
.scale { stroke: var(--ink); stroke-width: 1.4; fill: none; }
@media (prefers-color-scheme: dark) {
.frame { fill: #161c24; stroke: #5a6775; }
.area { fill: #1a222c; }
.area.sip { fill: #162230; }
.area.cube { fill: #1c2a39; }
.area.hbm { fill: #1f2a16; stroke: #7c8f52; }
.area.io { fill: #2a2618; stroke: #8f8457; }
.node rect, rect.node { fill: #222c37; stroke: #93a1b0; }
.node.router rect, rect.router, .node.io_noc rect, rect.io_noc { fill: #1b2430; stroke: #6ea0d0; }
.node.pe rect, rect.pe, .node.pe_gemm rect, rect.pe_gemm, .node.pe_math rect, rect.pe_math { fill: #24365c; stroke: #8fb0e6; }
.node.pe_cpu rect, rect.pe_cpu, .node.io_cpu rect, rect.io_cpu, .node.m_cpu rect, rect.m_cpu,
.node.host_cpu rect, rect.host_cpu, .node.pe_scheduler rect, rect.pe_scheduler { fill: #402a44; stroke: #c890cd; }
.node.sram rect, rect.sram, .node.pe_tcm rect, rect.pe_tcm { fill: #3a3818; stroke: #bdb955; }
.node.hbm_ctrl rect, rect.hbm_ctrl { fill: #2b3a16; stroke: #9cbb62; }
.node.pe_dma rect, rect.pe_dma, .node.pe_fetch_store rect, rect.pe_fetch_store,
.node.pe_ipcq rect, rect.pe_ipcq, .node.pe_mmu rect, rect.pe_mmu { fill: #163a4a; stroke: #6cb8d6; }
.node.ucie_phy rect, rect.ucie_phy, .node.io_ucie rect, rect.io_ucie { fill: #4d3315; stroke: #dba05e; }
.node.ucie_conn rect, rect.ucie_conn, .node.conn rect, rect.conn { fill: #3a2a18; stroke: #c4935f; }
.node.switch rect, rect.switch, .node.pcie_ep rect, rect.pcie_ep { fill: #4d2027; stroke: #e08a99; }
.node.maze rect, rect.maze, circle.maze, .node.noc_port rect, rect.noc_port { fill: #9cc3ee; stroke: #11161c; }
.node.maze text, .node.noc_port text { fill: #11161c; }
.node.noc rect, rect.noc { fill: #1d3147; stroke: #9cc3ee; }
.leader { stroke: #93a1b0; }
.edge.router_mesh, .edge.pe_internal { stroke: #6ea0d0; }
.edge.pe_to_router { stroke: #8fb0e6; }
.edge.router_to_hbm, .edge.hbm_to_router { stroke: #8fc25a; }
.edge.router_to_mcpu, .edge.mcpu_to_router { stroke: #c890cd; }
.edge.router_to_sram, .edge.sram_to_router { stroke: #c6c04f; }
.edge.ucie_internal, .edge.ucie_conn_to_router, .edge.router_to_ucie_conn, .edge.ucie_conn_to_noc,
.edge.noc_to_ucie_conn, .edge.ucie_mesh, .edge.io_to_cube, .edge.cube_to_io { stroke: #dd9a55; }
.edge.pcie { stroke: #e08a99; }
.edge.command { stroke: #d183d5; }
.edge.maze_attach, .edge.noc_attach, .edge.depth0 { stroke: #9cc3ee; }
.edge.depth1, .edge.noc_link { stroke: #45b0ee; }
.edge.depth2 { stroke: #e59a4c; }
.edge.depth3 { stroke: #e272b0; }
.edge.depth4 { stroke: #5cc06c; }
.edge.depth5 { stroke: #a0acb8; }
.edge.depth6 { stroke: #c6c04f; }
.edge.depth7 { stroke: #a892dd; }
}
)css";

std::string_view block_role(ViewShape shape) {
  switch (shape) {
    case ViewShape::SipBlock:
      return "SIP";
    case ViewShape::CubeBlock:
      return "cube";
    case ViewShape::PeBlock:
      return "PE";
    case ViewShape::HbmZone:
      return "HBM zone";
    case ViewShape::IoBlock:
      return "IO chiplet";
    case ViewShape::Node:
      break;
  }
  return {};
}

std::string_view block_class(ViewShape shape) {
  switch (shape) {
    case ViewShape::SipBlock:
      return "sip";
    case ViewShape::CubeBlock:
      return "cube";
    case ViewShape::PeBlock:
      return "pe";
    case ViewShape::HbmZone:
      return "hbm";
    case ViewShape::IoBlock:
      return "io";
    case ViewShape::Node:
      break;
  }
  return {};
}

}  // namespace

std::string view_style_sheet() {
  return fmt::format("{}{}", plot::base_style(), kStyleSheet.substr(1));
}

bool is_area(const ViewNode& node) {
  const bool area_shape = node.shape != ViewShape::Node && node.shape != ViewShape::PeBlock;
  return area_shape && node.w_mm > 0 && node.h_mm > 0;
}

std::string_view role(const ViewNode& node) {
  return node.shape == ViewShape::Node ? name(node.kind) : block_role(node.shape);
}

double label_font(const ViewNode& node, bool crowded) {
  if (node.shape == ViewShape::Node) return crowded ? kSmallPx : kLabelPx;
  return kBlockPx;
}

std::vector<std::string> detail_lines(const ViewNode& node, double w_px, double h_px) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> lines;
  if (node.shape != ViewShape::SipBlock && node.shape != ViewShape::CubeBlock) return lines;
  for (const auto& [key, value] : node.details) {
    if (lines.size() == kMost) break;
    lines.push_back(fmt::format("{}: {}", key, value));
    if (plot::text_width(lines.back(), kLabelPx) > 0.8 * w_px) return {};
  }
  if (kBlockPx + static_cast<double>(lines.size()) * kDetailRowPx > 0.6 * h_px) return {};
  return lines;
}

std::string css_class(const ViewNode& node) {
  return fmt::format("{} {}", is_area(node) ? "area" : "node",
                     node.shape == ViewShape::Node ? name(node.kind) : block_class(node.shape));
}

std::string css_class(const ViewEdge& edge) {
  if (edge.kind != EdgeKind::MazeLink) return fmt::format("edge {}", name(edge.kind));
  return fmt::format("edge {} depth{}", name(edge.kind),
                     std::min<unsigned>(edge.maze_depth, kDeepestStyle));
}

std::string bandwidth_text(double gbs) {
  return fmt::format("{} GB/s", plot::svg_number(gbs));
}

std::string length_text(double mm) {
  return fmt::format("{} mm", plot::svg_number(mm));
}

std::string tooltip(const ViewNode& node) {
  std::string text = fmt::format("{}\nkind: {}\nat: ({}, {}) mm", node.id, role(node),
                                 plot::svg_number(node.center.x), plot::svg_number(node.center.y));
  if (is_area(node)) {
    text +=
        fmt::format("\nsize: {} x {} mm", plot::svg_number(node.w_mm), plot::svg_number(node.h_mm));
  }
  for (const auto& [key, value] : node.details) {
    if (key != "kind") text += fmt::format("\n{}: {}", key, value);
  }
  return text;
}

std::string tooltip(const View& view, const ViewEdge& edge) {
  std::string text =
      fmt::format("{} {} {}\nkind: {}\nbandwidth: {}\nlength: {}", view.nodes[edge.from].id,
                  edge.both_ways ? "\u2194" : "\u2192", view.nodes[edge.to].id, name(edge.kind),
                  bandwidth_text(edge.bw_gbs), length_text(edge.length_mm));
  if (edge.kind == EdgeKind::MazeLink) {
    text += edge.maze_depth == 0 ? std::string("\nIRS stages: none, a plain wire")
                                 : fmt::format("\nIRS stages: {}", edge.maze_depth);
  }
  return text;
}

}  // namespace kernbench::topology

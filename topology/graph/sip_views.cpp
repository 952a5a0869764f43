// SPDX-License-Identifier: Apache-2.0
// Views of the system and of a SIP.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "topology/graph/noc_stage.hpp"
#include "topology/graph/node_names.hpp"
#include "topology/graph/stages.hpp"
#include "topology/graph/view_parts.hpp"
#include "topology/maze_links.hpp"
#include "topology/spec/noc_topologies.hpp"
#include "topology/spec/topology_spec.hpp"
#include "topology/zoo/endpoint_routes.hpp"

namespace kernbench::topology {

namespace {

constexpr double kBlockGapMm = 12.0;
constexpr double kSystemNodeMm = 14.0;  ///< side of the boxes of host CPU and switch, mm
constexpr std::uint32_t kSipsPerRow = 4;
constexpr double kNocHeightMm = 60.0;  ///< height of a network between SIPs

ViewNode cube_block(const TopologySpec& spec, const SipFrame& frame, std::uint32_t cube) {
  ViewNode node;
  node.id = node_names::cube(0, cube);
  node.label = fmt::format("cube {}", cube);
  node.shape = ViewShape::CubeBlock;
  node.center = frame.cube_center(cube);
  node.w_mm = spec.cube.w_mm;
  node.h_mm = spec.cube.h_mm;
  node.details = {{"PEs", fmt::format("{}", spec.cube.pes())},
                  {"HBM", fmt::format("{} GiB", spec.cube.memory_map.hbm_total_gb)},
                  {"row, column", fmt::format("{}, {}", cube / spec.sip.cube_mesh_w,
                                              cube % spec.sip.cube_mesh_w)}};
  return node;
}

void add_ucie_mesh(const TopologySpec& spec, View& view) {
  const std::uint32_t w = spec.sip.cube_mesh_w;
  const LinkSpec link{spec.cube.ucie_n_connections * spec.cube.links.ucie_conn.bw_gbs,
                      spec.sip.ucie_mesh_distance_mm};
  for (std::uint32_t cube = 0; cube < spec.sip.cubes(); ++cube) {
    if (cube % w + 1 < w) view.edges.push_back(view_line(cube, cube + 1, EdgeKind::UcieMesh, link));
    if (cube + w < spec.sip.cubes()) {
      view.edges.push_back(view_line(cube, cube + w, EdgeKind::UcieMesh, link));
    }
  }
}

/// Draws one line for a link and its opposite: both have the same length and depth.
void add_maze(const TopologySpec& spec, const SipFrame& frame, View& view) {
  const MazeLinks maze(spec.sip.cube_mesh_w, spec.sip.cube_mesh_h);
  for (const MazeLink& link : maze.links()) {
    if (link.from.node > link.to.node) continue;
    const double pitch = link.from.port < maze.x_ports() ? frame.pitch_x_mm() : frame.pitch_y_mm();
    view.edges.push_back(view_line(link.from.node, link.to.node, EdgeKind::MazeLink,
                                   {link_bw_gbs(spec.sip.maze), (link.depth + 1) * pitch}));
    view.edges.back().maze_depth = static_cast<std::uint8_t>(link.depth);
  }
}

/// Adds a network, compiled by the same stage that builds it in the graph. `ports` are the boxes
/// that are attached to it, by endpoint.
void add_noc(const TopologySpec& spec, const NocPlace& place, const std::vector<std::size_t>& ports,
             View& view) {
  GraphBuilder part(spec, CubeMesh{});
  add_noc_routers(part, place);
  const std::size_t first = view.nodes.size();
  append_graph(std::move(part).finish({}), view);
  const auto attach = [&](std::size_t from, std::size_t to, bool both_ways) {
    const PositionMm a = view.nodes[from].center;
    const PositionMm b = view.nodes[to].center;
    view.edges.push_back(view_line(from, to, EdgeKind::NocLink,
                                   {link_bw_gbs(place.noc), std::hypot(a.x - b.x, a.y - b.y)}));
    view.edges.back().both_ways = both_ways;
  };
  for (std::uint32_t i = 0; i < ports.size(); ++i) {
    const std::uint32_t source = place.topology->source(i);
    const std::uint32_t destination = place.topology->destination(i);
    attach(ports[i], first + source, source == destination);
    if (source != destination) attach(first + destination, ports[i], false);
  }
}

/// Returns the topmost position of SIPs in the system view. A network between them is above them.
double sips_top_mm(const TopologySpec& spec) {
  const double below_switch = 2 * (kSystemNodeMm + kBlockGapMm) + kBlockGapMm;
  return spec.system.inter_sip == InterSip::Noc ? below_switch + kNocHeightMm + kBlockGapMm
                                                : below_switch;
}

double system_width_mm(const TopologySpec& spec, const SipFrame& frame) {
  const std::uint32_t columns = std::min(spec.system.sips, kSipsPerRow);
  return columns * (frame.width_mm() + kBlockGapMm) + kBlockGapMm;
}

/// Adds one IO chiplet, compiled by the same stage that builds it in the graph.
void add_io_chiplet(const TopologySpec& spec, const SipFrame& frame, std::size_t chiplet,
                    View& view) {
  const IoChipletSpec& io = spec.sip.io_chiplets[chiplet];
  const bool horizontal = io.side == Side::North || io.side == Side::South;
  ViewNode block;
  block.id = node_names::io_chiplet(0, io.id);
  block.label = io.id;
  block.shape = ViewShape::IoBlock;
  const double length = frame.side_length_mm(io.side);
  block.center = frame.io_point(chiplet, length / 2, SipFrame::kIoDepthMm / 2);
  block.w_mm = horizontal ? length : SipFrame::kIoDepthMm;
  block.h_mm = horizontal ? SipFrame::kIoDepthMm : length;
  view.nodes.push_back(block);

  GraphBuilder part(spec, CubeMesh{});
  const IoNodes io_nodes = instantiate_io_chiplet(part, frame, 0, chiplet);
  const TopologyGraph graph = std::move(part).finish({});
  const std::size_t first = view.nodes.size();
  append_graph(graph, view);
  for (std::uint32_t i = 0; i < io_nodes.io_ucies.size(); ++i) {
    view.edges.push_back(view_line(first + io_nodes.io_ucies[i].value(),
                                   frame.cube_along(io.side, i), EdgeKind::IoToCube,
                                   io.io_ucie_to_cube));
  }
}

}  // namespace

NocPlace noc_of_system(const TopologySpec& spec) {
  const double top = sips_top_mm(spec) - kBlockGapMm - kNocHeightMm;
  const double width = system_width_mm(spec, SipFrame(spec));
  return {.topology = spec.system.noc_topology,
          .noc = spec.system.noc,
          .prefix = std::string(node_names::system()),
          .first = {2 * kBlockGapMm, top},
          .last = {width - 2 * kBlockGapMm, top + kNocHeightMm}};
}

View build_system_view(const TopologySpec& spec) {
  const SipFrame frame(spec);
  const std::uint32_t columns = std::min(spec.system.sips, kSipsPerRow);
  const std::uint32_t rows = (spec.system.sips + columns - 1) / columns;
  View view;
  view.level = ViewLevel::System;
  view.title = fmt::format("System: {} SIP{}", spec.system.sips, spec.system.sips == 1 ? "" : "s");
  view.w_mm = system_width_mm(spec, frame);
  const double sips_top = sips_top_mm(spec);
  view.h_mm = sips_top + rows * (frame.height_mm() + kBlockGapMm);

  const double middle = view.w_mm / 2;
  double y = kBlockGapMm + kSystemNodeMm / 2;
  view.nodes.push_back(view_node(node_names::host_cpu(), "host CPU", NodeKind::HostCpu, {middle, y},
                                 spec.system.host_cpu_overhead_ns));
  y += kSystemNodeMm + kBlockGapMm;
  view.nodes.push_back(view_node(node_names::fabric_switch(), "switch", NodeKind::Switch,
                                 {middle, y}, spec.system.switch_overhead_ns));
  for (ViewNode& node : view.nodes) node.w_mm = node.h_mm = kSystemNodeMm;
  view.edges.push_back(view_line(0, 1, EdgeKind::Pcie, spec.system.host_to_switch));
  std::vector<std::size_t> sips;
  for (std::uint32_t sip = 0; sip < spec.system.sips; ++sip) {
    ViewNode block;
    block.id = node_names::sip(sip);
    block.label = fmt::format("SIP {}", sip);
    block.shape = ViewShape::SipBlock;
    const std::uint32_t row = sip / columns;
    block.center = {
        kBlockGapMm + (sip % columns) * (frame.width_mm() + kBlockGapMm) + frame.width_mm() / 2,
        sips_top + row * (frame.height_mm() + kBlockGapMm) + frame.height_mm() / 2};
    block.w_mm = frame.width_mm();
    block.h_mm = frame.height_mm();
    block.details = {{"cubes", fmt::format("{} x {}", spec.sip.cube_mesh_w, spec.sip.cube_mesh_h)},
                     {"PEs", fmt::format("{}", spec.sip.cubes() * spec.cube.pes())},
                     {"IO chiplets", fmt::format("{}", spec.sip.io_chiplets.size())}};
    sips.push_back(view.nodes.size());
    view.nodes.push_back(block);
    for (std::size_t io = 0; io < spec.sip.io_chiplets.size(); ++io) {
      view.edges.push_back(
          view_line(1, view.nodes.size() - 1, EdgeKind::Pcie, spec.system.switch_to_pcie_ep));
    }
  }
  if (spec.system.inter_sip == InterSip::Noc) add_noc(spec, noc_of_system(spec), sips, view);
  return view;
}

View build_sip_view(const TopologySpec& spec) {
  const SipFrame frame(spec);
  View view;
  view.level = ViewLevel::Sip;
  view.title = fmt::format("SIP: {} x {} cubes joined by {}", spec.sip.cube_mesh_w,
                           spec.sip.cube_mesh_h, interconnect_name(spec.sip));
  view.w_mm = frame.width_mm();
  view.h_mm = frame.height_mm();
  std::vector<std::size_t> cubes;
  for (std::uint32_t cube = 0; cube < spec.sip.cubes(); ++cube) {
    cubes.push_back(view.nodes.size());
    view.nodes.push_back(cube_block(spec, frame, cube));
  }
  switch (spec.sip.inter_cube) {
    case InterCube::UcieMesh:
      add_ucie_mesh(spec, view);
      break;
    case InterCube::Maze:
      add_maze(spec, frame, view);
      break;
    case InterCube::Noc:
      add_noc(spec, noc_of_sip(spec, frame, 0), cubes, view);
      break;
  }
  for (std::size_t io = 0; io < spec.sip.io_chiplets.size(); ++io) {
    add_io_chiplet(spec, frame, io, view);
  }
  return view;
}

}  // namespace kernbench::topology

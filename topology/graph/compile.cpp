// SPDX-License-Identifier: Apache-2.0
#include "topology/graph/compile.hpp"

#include <cstdint>
#include <utility>

#include "topology/graph/noc_stage.hpp"
#include "topology/graph/node_names.hpp"
#include "topology/graph/stages.hpp"
#include "topology/maze_links.hpp"
#include "topology/spec/length.hpp"
#include "topology/spec/noc_topologies.hpp"
#include "topology/spec/topology_spec.hpp"
#include "topology/zoo/endpoint_routes.hpp"

namespace kernbench::topology {

namespace {

struct SystemNodes {
  NodeId host_cpu;
  NodeId fabric_switch;
};

SystemNodes instantiate_system(GraphBuilder& graph, const View& view) {
  const SystemSpec& system = graph.spec().system;
  Node host;
  host.kind = NodeKind::HostCpu;
  host.position = view.nodes[0].center;
  Node fabric_switch;
  fabric_switch.kind = NodeKind::Switch;
  fabric_switch.position = view.nodes[1].center;
  SystemNodes nodes;
  nodes.host_cpu = graph.add_node(node_names::host_cpu(), system.host_cpu_overhead_ns, host);
  nodes.fabric_switch =
      graph.add_node(node_names::fabric_switch(), system.switch_overhead_ns, fabric_switch);
  graph.add_pair(nodes.host_cpu, nodes.fabric_switch, EdgeKind::Pcie, wire(system.host_to_switch));
  return nodes;
}

/// Joins facing PHYs of adjacent cubes: row-major, east before south.
void add_ucie_mesh(GraphBuilder& graph, const std::vector<CubeNodes>& cubes) {
  const TopologySpec& spec = graph.spec();
  const std::uint32_t w = spec.sip.cube_mesh_w;
  const Wire link = wire({spec.cube.ucie_n_connections * spec.cube.links.ucie_conn.bw_gbs,
                          spec.sip.ucie_mesh_distance_mm});
  const auto join = [&](std::uint32_t a, Side side, std::uint32_t b) {
    graph.add_pair(cubes[a].ucie_phys.at(static_cast<std::size_t>(side)).value(),
                   cubes[b].ucie_phys.at(static_cast<std::size_t>(opposite(side))).value(),
                   EdgeKind::UcieMesh, link);
  };
  for (std::uint32_t cube = 0; cube < cubes.size(); ++cube) {
    if (cube % w + 1 < w) join(cube, Side::East, cube + 1);
    if (cube + w < cubes.size()) join(cube, Side::South, cube + w);
  }
}

/// Adds the MAZE links. A link to the n-th node along the shorter way around the torus is n pitches
/// long and has n - 1 IRS stages.
void add_maze_links(GraphBuilder& graph, const SipFrame& frame,
                    const std::vector<CubeNodes>& cubes) {
  const SipSpec& sip = graph.spec().sip;
  const MazeLinks maze(sip.cube_mesh_w, sip.cube_mesh_h);
  for (const MazeLink& link : maze.links()) {
    const double pitch = link.from.port < maze.x_ports() ? frame.pitch_x_mm() : frame.pitch_y_mm();
    const Wire wire{link_bw_gbs(sip.maze), to_nm((link.depth + 1) * pitch), 0};
    graph.add_maze_link(cubes[link.from.node].port.value(), cubes[link.to.node].port.value(), wire,
                        link.from.port, link.depth);
  }
}

/// Returns a routing weight above that of any path between two cubes of a SIP. An IO chiplet leads
/// to the host; without the weight its NOC would be a shortcut from cube to cube.
std::int64_t io_boundary_weight_nm(const TopologySpec& spec) {
  const std::int64_t around_cube = to_nm(spec.cube.w_mm) + to_nm(spec.cube.h_mm);
  // Upper bound for one step to the next cube: two PHYs, two connections, the gap, and the path
  // within a cube.
  const std::int64_t step = 4 * around_cube + 2 * to_nm(spec.cube.links.ucie_conn.distance_mm) +
                            to_nm(spec.sip.ucie_mesh_distance_mm);
  return step * (spec.sip.cube_mesh_w + spec.sip.cube_mesh_h);
}

void add_io_to_cube_edges(GraphBuilder& graph, const SipFrame& frame,
                          const std::vector<IoNodes>& chiplets,
                          const std::vector<CubeNodes>& cubes) {
  for (std::size_t c = 0; c < chiplets.size(); ++c) {
    const IoChipletSpec& io = graph.spec().sip.io_chiplets[c];
    Wire link = wire(io.io_ucie_to_cube);
    link.routing_weight_nm = io_boundary_weight_nm(graph.spec());
    for (std::uint32_t i = 0; i < chiplets[c].io_ucies.size(); ++i) {
      const CubeNodes& cube = cubes[frame.cube_along(io.side, i)];
      graph.add_pair(chiplets[c].io_ucies[i],
                     cube.ucie_phys.at(static_cast<std::size_t>(io.side)).value(),
                     EdgeKind::IoToCube, EdgeKind::CubeToIo, link);
    }
  }
}

/// Joins the cubes of a SIP by a network.
void add_cube_noc(GraphBuilder& graph, const SipFrame& frame, std::uint32_t sip,
                  const std::vector<CubeNodes>& cubes) {
  std::vector<NodeId> ports;
  ports.reserve(cubes.size());
  for (const CubeNodes& cube : cubes) ports.push_back(cube.port.value());
  add_noc(graph, noc_of_sip(graph.spec(), frame, sip), ports);
}

/// Builds one SIP and returns its IO chiplets.
std::vector<IoNodes> instantiate_sip(GraphBuilder& graph, const SipFrame& frame,
                                     std::uint32_t sip) {
  const SipSpec& spec = graph.spec().sip;
  std::vector<IoNodes> chiplets;
  for (std::size_t c = 0; c < spec.io_chiplets.size(); ++c) {
    chiplets.push_back(instantiate_io_chiplet(graph, frame, sip, c));
  }
  std::vector<CubeNodes> cubes;
  for (std::uint32_t cube = 0; cube < spec.cubes(); ++cube) {
    cubes.push_back(instantiate_cube(graph, frame, sip, cube));
  }
  switch (spec.inter_cube) {
    case InterCube::UcieMesh:
      add_ucie_mesh(graph, cubes);
      break;
    case InterCube::Maze:
      add_maze_links(graph, frame, cubes);
      break;
    case InterCube::Noc:
      add_cube_noc(graph, frame, sip, cubes);
      break;
  }
  add_io_to_cube_edges(graph, frame, chiplets, cubes);
  return chiplets;
}

/// Returns the wire between the switch and a PCIe endpoint. Where SIPs have a network of their own,
/// its routing weight exceeds that of any way through the network, and the switch carries only what
/// begins or ends at the host.
Wire switch_wire(const TopologySpec& spec) {
  Wire link = wire(spec.system.switch_to_pcie_ep);
  if (spec.system.inter_sip != InterSip::Noc) return link;
  const std::size_t links = spec.system.noc_topology->topology()->channels().size() + 4;
  link.routing_weight_nm = link.length_nm + kNocLinkWeightNm * static_cast<std::int64_t>(links);
  return link;
}

/// Reserves slightly more than the whole graph needs, to avoid reallocation while it grows.
void reserve(GraphBuilder& graph) {
  const TopologySpec& spec = graph.spec();
  const CubeMesh& mesh = graph.mesh();
  const std::size_t routers = std::size_t{mesh.rows()} * mesh.columns();
  const std::size_t connections = 4 * (std::size_t{spec.cube.ucie_n_connections} + 1);
  const std::size_t pes = mesh.pe_routers.size();
  const std::size_t cubes = std::size_t{spec.system.sips} * spec.sip.cubes();
  const std::size_t others = 8 + std::size_t{spec.system.sips} * 1024;
  const std::size_t pe_edges = 2 * kPeInternalPairs.size() + 8;
  graph.reserve(cubes * (routers + pes * (kPeParts.size() + 1) + connections + 3) + others,
                cubes * (4 * routers + pes * pe_edges + 4 * connections + 64) + others);
}

}  // namespace

TopologyGraph compile_topology(const TopologySpec& spec, const CubeMesh& mesh) {
  require_noc_topologies(spec);
  GraphBuilder graph(spec, mesh);
  reserve(graph);
  const SipFrame frame(graph.spec());
  View system_view = build_system_view(spec);
  const SystemNodes system = instantiate_system(graph, system_view);
  std::vector<NodeId> pcie_eps;
  std::vector<NodeId> ports;
  for (std::uint32_t sip = 0; sip < spec.system.sips; ++sip) {
    for (const IoNodes& io : instantiate_sip(graph, frame, sip)) {
      pcie_eps.push_back(io.pcie_ep);
      if (io.port) ports.push_back(*io.port);
    }
  }
  for (const NodeId pcie_ep : pcie_eps) {
    graph.add_pair(system.fabric_switch, pcie_ep, EdgeKind::Pcie, switch_wire(spec));
  }
  if (spec.system.inter_sip == InterSip::Noc) add_noc(graph, noc_of_system(spec), ports);
  return std::move(graph).finish({std::move(system_view), build_sip_view(spec),
                                  build_cube_view(spec, mesh), build_pe_view(spec)});
}

TopologyGraph compile_topology(const TopologySpec& spec) {
  return compile_topology(spec, lay_out_cube_mesh(spec.cube));
}

}  // namespace kernbench::topology

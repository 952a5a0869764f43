// SPDX-License-Identifier: Apache-2.0
#include "topology/graph/noc_stage.hpp"

#include "topology/graph/node_names.hpp"
#include "topology/graph/sip_frame.hpp"
#include "topology/graph/stages.hpp"
#include "topology/zoo/endpoint_routes.hpp"
#include "topology/zoo/layout/transform.hpp"

namespace kernbench::topology {
namespace {

/// Returns the places of the nodes of a topology in the rectangle between two corners.
std::vector<PositionMm> positions(const zoo::BaseTopology& topology, const NocPlace& place) {
  const zoo::Plot plot = topology.layout();
  const zoo::Box box = zoo::bounds({plot.nodes, {}});
  const auto along = [](double at, double least, double most, double first, double last) {
    const double part = most > least ? (at - least) / (most - least) : 0.5;
    return first + part * (last - first);
  };
  std::vector<PositionMm> all;
  all.reserve(plot.nodes.size());
  for (const zoo::PlotNode& node : plot.nodes) {
    all.push_back({along(node.at.x, box.least.x, box.most.x, place.first.x, place.last.x),
                   along(node.at.y, box.least.y, box.most.y, place.first.y, place.last.y)});
  }
  return all;
}

/// Returns a link between two nodes. Its routing weight is the least there is: the network chooses
/// the links that carry a packet.
Wire link_between(const GraphBuilder& graph, NodeId from, NodeId to, const NocSpec& noc) {
  Wire wire = wire_between(graph.node(from).position, graph.node(to).position, link_bw_gbs(noc));
  wire.routing_weight_nm = kNocLinkWeightNm;
  return wire;
}

}  // namespace

NocPlace noc_of_sip(const TopologySpec& spec, const SipFrame& frame, std::uint32_t sip) {
  // Beside the middle of the cubes, so that the names of cubes can be read.
  const auto beside = [&](std::uint32_t cube) {
    const PositionMm center = frame.cube_center(cube);
    return PositionMm{center.x + spec.cube.w_mm / 4, center.y + spec.cube.h_mm / 4};
  };
  return {.topology = spec.sip.noc_topology,
          .noc = spec.sip.noc,
          .prefix = node_names::sip(sip),
          .sip = static_cast<std::uint16_t>(sip),
          .first = beside(0),
          .last = beside(spec.sip.cubes() - 1)};
}

std::vector<NodeId> add_noc_routers(GraphBuilder& graph, const NocPlace& place) {
  const zoo::BaseTopology& topology = *place.topology->topology();
  std::vector<NodeId> routers;
  for (const PositionMm& position : positions(topology, place)) {
    Node node;
    node.kind = NodeKind::Noc;
    node.position = position;
    node.sip = place.sip;
    const auto number = static_cast<std::uint32_t>(routers.size());
    routers.push_back(graph.add_node(node_names::noc_router(place.prefix, number), 0.0, node));
  }
  for (const zoo::Channel& channel : topology.channels()) {
    const NodeId from = routers[channel.src];
    const NodeId to = routers[channel.dst];
    graph.add_edge(from, to, EdgeKind::NocLink, link_between(graph, from, to, place.noc));
  }
  return routers;
}

void add_noc(GraphBuilder& graph, const NocPlace& place, const std::vector<NodeId>& ports) {
  const std::vector<NodeId> routers = add_noc_routers(graph, place);
  for (std::uint32_t i = 0; i < ports.size(); ++i) {
    const NodeId source = routers[place.topology->source(i)];
    const NodeId destination = routers[place.topology->destination(i)];
    graph.add_edge(ports[i], source, EdgeKind::NocLink,
                   link_between(graph, ports[i], source, place.noc));
    graph.add_edge(destination, ports[i], EdgeKind::NocLink,
                   link_between(graph, destination, ports[i], place.noc));
  }
}

}  // namespace kernbench::topology
